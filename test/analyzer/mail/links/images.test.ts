import { expect, test } from "vitest";
import { readPage } from "../../../../src/analyzer/mail/html/page.ts";
import { type Image, maxImages, toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { createFinder } from "../../../../src/analyzer/mail/urls/patterns.ts";
import { trackers } from "../../../../src/analyzer/mail/urls/tracker-table.ts";
import { readWebAddress } from "../../../../src/analyzer/mail/urls/web-address.ts";

const listOf = (html: string) => toImages(readPage(html)).list;
function imageOf(html: string): Image {
  const [image] = listOf(html);
  if (!image) throw new Error("no image");
  return image;
}

const findTracker = createFinder(trackers);

test.each(trackers)("the tracking service $service is recognized in $fires", ({ service, fires }) => {
  expect(findTracker(readWebAddress(fires))?.service).toBe(service);
});

test.each(trackers)("the tracking service $service is not recognized in $quiet", ({ quiet }) => {
  expect(imageOf(`<img src="${quiet.replaceAll("&", "&amp;")}" width="200" height="50" alt="x">`).tracking).toBeNull();
});

const unique = "?id=0123456789abcdef0123";

test.each([
  [`<img src="https://a.example/p${unique}" width="1" height="1">`, "is 1×1 pixels"],
  [`<img src="https://a.example/o/9f83ba1c.gif" width="1" height="1">`, "is 1×1 pixels"],
  [`<img src="https://a.example/count/kq417zmm20vwx" width="1" height="1">`, "is 1×1 pixels"],
  [`<img src="https://a.example/p${unique}" style="width:0;height:0">`, "is 0×0 pixels"],
  [`<img src="https://a.example/0123456789abcdef01.gif" height="1">`, "is ?×1 pixels"],
  [`<img src="https://a.example/p${unique}" style="display:none">`, "is hidden (display)"],
  [`<div style="visibility:hidden"><img src="https://a.example/p${unique}"></div>`, "is hidden (visibility)"],
  [`<img src="https://a.example/p${unique}" width="100" height="0">`, "has no area"],
  [`<img src="https://a.example/open.php${unique}">`, "has a path typical of open tracking"],
  [
    `<p>x</p><img src="https://a.example/x${unique}">`,
    "is the last image, has no alt text or size, and its address contains a token",
  ],
])("the parser recognizes %s as a tracking pixel", (html, reason) => {
  expect(imageOf(html).tracking).toMatchObject({ service: null, reasons: [reason] });
});

test.each([
  '<img src="https://a.example/spacer.gif" width="1" height="1">',
  '<img src="https://a.example/line.png" width="600" height="1">',
  '<img src="cid:part1" width="1" height="1">',
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="1" height="1">',
  '<img src="https://a.example/banner.jpg?v=3" width="600" height="200" alt="Sale" style="display:none">',
  '<img src="https://a.example/0123456789abcdef01.png" width="180" style="display:none;max-height:0">',
  '<img src="https://a.example/0123456789abcdef01.png" width="0" height="0" alt="Shop" style="display:none">',
  '<img src="https://a.example/open-house.jpg?v=3" alt="House" width="300">',
  '<img src="https://a.example/logo.png" alt="Logo">',
])("the parser does not take %s for a tracking pixel", (html) => {
  expect(imageOf(html).tracking).toBeNull();
});

test("the parser returns an image's size, alt text, link, and format", () => {
  const html =
    '<a href="https://a.example/"><img src="https://a.example/a.PNG?x" width="100" height="40" style="width:50px" alt=" A "></a>';
  expect(imageOf(html)).toMatchObject({
    kind: "remote",
    host: "a.example",
    width: 50,
    height: 40,
    area: 2_000,
    alt: "A",
    linked: "https://a.example/",
    isOnlyContentOfLink: true,
    format: "png",
    bytes: null,
  });
  expect(imageOf('<a href="x">words <img src="y" alt=""></a>')).toMatchObject({
    alt: "",
    isOnlyContentOfLink: false,
    kind: "none",
  });
  expect(imageOf('<img src="y">').alt).toBeNull();
});

test("the parser knows the size of embedded images", () => {
  expect(imageOf('<img src="data:image/svg+xml;base64,AAAA">')).toMatchObject({
    kind: "data",
    bytes: 3,
    format: "svg",
  });
  const brought = toImages(readPage('<img src="CID:a@b">'), (cid) =>
    cid === "a@b" ? { type: "image/jpeg", sizeBytes: 9 } : null,
  );
  expect(brought.list[0]).toMatchObject({ kind: "cid", bytes: 9, format: "jpeg" });
});

test("the parser finds everything else that loads content", () => {
  const html = `<head><link rel="stylesheet" href="https://s.example/a.css"><style>@import "https://i.example/b.css";@font-face{src:url(https://f.example/c.woff2)}.a{background:\\75rl('https://c.example/d.png')}</style></head>
    <body background="https://b.example/e.png"><p style="list-style-image:url(https://l.example/f.png)">x</p><video poster="https://v.example/g.jpg"><source src="https://m.example/h.mp4"></video>
    <img srcset="https://r.example/1.png 1x, https://r.example/2.png 2x"><!--[if gte mso 9]><v:fill src="https://o.example/i.jpg"/><![endif]--></body>`;
  expect(
    listOf(html)
      .flatMap(({ place, host }) => (host ? [`${place} ${host}`] : []))
      .sort(),
  ).toEqual(
    [
      "stylesheet s.example",
      "import i.example",
      "font f.example",
      "style c.example",
      "background b.example",
      "style l.example",
      "media v.example",
      "media m.example",
      "srcset r.example",
      "srcset r.example",
      "outlook o.example",
    ].sort(),
  );
});

test("the parser finds images that replace a video or another format", () => {
  expect(listOf('<video><img src="a"></video><img src="b">').map(({ isFallback }) => isFallback)).toEqual([
    true,
    false,
  ]);
});

test("the parser lists a limited number of images and counts all", () => {
  const images = toImages(readPage('<img src="https://a.example/x.png">'.repeat(20_000)));
  expect(images.list).toHaveLength(maxImages);
  expect(images.total).toBe(20_000);
});
