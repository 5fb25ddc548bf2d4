import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { toEmlContent } from "../../../../src/analyzer/mail/eml.ts";
import { maxHtmlLength, readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";
import { toSafeHtml } from "../../../../src/analyzer/mail/html/safe-html.ts";
import { toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { toLinks } from "../../../../src/analyzer/mail/links/links.ts";
import { attacks } from "./attacks.ts";
import { pinsOnAll } from "./pins-on-all.ts";

// Each of these took seconds or more in an early version of this parser, or in another one. A hanging test is the
// failure.

function readAll(text: string) {
  const page = readPage(text);
  const html = toHtml(page, { text });
  const links = toLinks(page, text.slice(0, 300_000));
  const images = toImages(page, () => null);
  const { trackingElements } = images;
  const safe = toSafeHtml(page, { images: true, trackingElements, pins: pinsOnAll(page) });
  return { html, content: toEmlContent(safe, images, links) };
}

const long = (piece: string) => piece.repeat(Math.ceil(1_000_000 / piece.length));
const numbered = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index)).join("");

test("the HTML parser reads the beginning of ten megabytes on one line, and says that it was cut", () => {
  const { html } = readAll("word ".repeat(2_000_000));
  expect(html.cuts).toContain("bytes");
  expect(html.decodedBytes).toBe(10_000_000);
  expect(html.visibleChars).toBeLessThan(maxHtmlLength);
});

test("the HTML parser counts a hundred thousand links and lists a limited number", () => {
  const { content } = readAll(numbered(100_000, (index) => `<a href="http://h${index % 977}.example/">x</a>`));
  expect(content.links.length).toBeLessThanOrEqual(500);
  expect(content.links_cut).toBeGreaterThan(20_000);
});

test("the HTML parser stops matching a hundred thousand rules against as many elements, and says so", () => {
  const { html } = readAll(`<style>${"p{color:red}".repeat(50_000)}</style>${"<p>x".repeat(100_000)}`);
  expect(html.cuts).toContain("styles");
});

test.each([
  ["depth", "<div>".repeat(100_000)],
  ["deeply nested styles", '<div style="color:red">x'.repeat(40_000)],
  [
    "descendant rules",
    `<style>${long("b p p p p p{color:red}").slice(0, 400_000)}</style>${"<div><p>x".repeat(50_000)}`,
  ],
  ["repeated classes", `<style>.x{color:red}</style>${`<p class="${"x ".repeat(200)}">y`.repeat(2_000)}`],
  ["sheets", "<style>a{}</style>".repeat(60_000)],
  ["unclosed groups", `<style>${long("@media (x){")}`],
  ["braces", `<style>${long("{")}`],
  ["brackets", `<style>a{b:${long("(")}`],
  ["quotes", `<style>a{b:${long('"')}`],
  ["comments in styles", `<style>${long("/*")}`],
  ["escapes", `<p style="a:${long("\\")}">`],
  ["selectors in one list", `<style>${long("a,")}{color:red}</style>`],
  ["URLs in one style", `<p style="background:${long("url(")}">`],
  ["attributes", `<p ${numbered(100_000, (index) => `a${index}=1 `)}>`],
  ["end tags", `${"<div>".repeat(600)}${long("</b>")}`],
  ["end tags of an element outside the table", `<b><table><td>${"<div>".repeat(500)}${long("</b>")}`],
  ["deeply nested list items", `<ul>${"<span>".repeat(500)}${long("<li>")}`],
  ["angle brackets", long("<")],
  ["declarations", long("<!")],
  ["comments", long("<!--")],
  ["conditions", long("<!--[if mso]>")],
  ["character data sections", long("<![CDATA[")],
  ["ampersands", long("&")],
  ["entities in a URL", `<a href="${long("&amp;")}">x</a>`],
  ["an unfinished tag", `<a href="${long("x")}`],
  ["an unfinished style", `<style>a{color:red;${long("x")}`],
  ["data in an image URL", `<img src="data:image/png;base64,${long("A")}">`],
  ["data in a background URL", `<p style="background:url(data:image/png;base64,${long("A")})">`],
  ["candidates", `<img srcset="${long("a 1x, ")}">`],
  ["spaces in URLs", `<a href="${" ".repeat(5_000)}x">y</a>`.repeat(200)],
  ["URLs in URLs", numbered(500, (index) => `<a href="https://a.example/${index}${"/http://".repeat(240)}">y</a>`)],
  ["at signs", numbered(500, (index) => `<a href="https://${"@".repeat(1_900)}${index}">y</a>`)],
  ["XML entities", `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg>${long("&b;")}</svg>`],
  ["structured data", `<script type="application/ld+json">${long('"@type":"X",')}</script>`],
])("the HTML parser reads any amount of %s", (_, text) => {
  const { html, content } = readAll(text);
  expect(html.visibleText.length).toBeLessThanOrEqual(200_000);
  expect(content.html_safe?.length ?? 0).toBeLessThan(7_000_000);
});

test("the HTML parser returns results that can be stored, without NUL or lone surrogates", () => {
  const odd = "a\0b\ud800c";
  const { html, content } = readAll(
    `<!doctype ${odd}><html lang="${odd}"><title>${odd}</title><${odd} width=900>${odd}<p hidden>${odd}</p><a href="https://a.example/${odd}" title="${odd}">${odd}</a><img src="https://a.example/${odd}" alt="${odd}"><style>@media ${odd}{a{b:c}}.x{background:url(${odd})}</style><!--${odd}-->`,
  );
  const stored = JSON.stringify({
    ...html,
    elements: [...html.elements],
    comments: { ...html.comments, outlookOnly: [] },
    content,
  });
  expect(stored).not.toMatch(/\\u0000|\\ud800/);
});

test("the HTML parser reads random HTML without throwing", () => {
  const dice = createDice(20_261_121);
  const pieces = attacks
    .flatMap((attack) => attack.match(/<[^>]*>?|[^<]+/g) ?? [])
    .concat([
      "<table>",
      "</td>",
      "<!--[if mso]>",
      "<![endif]-->",
      "</html>",
      "<body>",
      "</head>",
      "\0",
      "\ud800",
      "&#x110000;",
      "&#0;",
      "%",
      "<a href='#%ff'>",
    ]);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: dice(20) }, () => {
      const piece = pieces[dice(pieces.length)] ?? "";
      const cut = dice(4) === 0 ? dice(piece.length + 1) : piece.length;
      return piece.slice(0, cut);
    }).join("");
    const { content } = readAll(text);
    const markup = (content.html_safe ?? "").replace(/"[^"]*"/g, '""');
    expect(markup).not.toMatch(/<(?:script|svg|iframe)|<[^>]*\son\w+=/i);
  }
});
