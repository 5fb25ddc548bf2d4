import { expect, test } from "vitest";
import { readPage } from "../../../../src/analyzer/mail/html/page.ts";
import { type SafeHtmlOptions, toSafeHtml } from "../../../../src/analyzer/mail/html/safe-html.ts";
import { safeElements } from "../../../../src/analyzer/mail/html/safe-tables.ts";
import type { HtmlElement } from "../../../../src/analyzer/mail/html/tree.ts";
import { parseTree } from "../../../../src/analyzer/mail/html/tree.ts";
import { toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { attacks } from "./attacks.ts";
import { pinsOnAll } from "./pins-on-all.ts";

const safe = (html: string, options: SafeHtmlOptions = {}) => toSafeHtml(readPage(html), options).html;
/** Without the surrounding box. */
const inside = (html: string, options?: SafeHtmlOptions) =>
  safe(html, options)
    .replace(/^(?:<style>[^<]*<\/style>)?<div[^>]*>/, "")
    .replace(/<\/div>$/, "");

const allowedAttribute =
  /^(?:align|alt|aria-hidden|aria-label|bgcolor|border|bordercolor|cellpadding|cellspacing|class|color|colspan|dir|face|height|href|hspace|id|lang|name|nowrap|rel|role|rowspan|scope|size|span|src|start|style|target|title|type|valign|value|vspace|width)$/;

/** Everything that is unsafe in the output, whatever the input was. */
function findFaults(html: string): string[] {
  const faults: string[] = [];
  const visit = (element: HtmlElement): void => {
    const { name, attributes, children } = element;
    if (name !== "html" && name !== "style" && !safeElements.has(name)) faults.push(`<${name}>`);
    for (const [attribute, value] of attributes) faults.push(...faultsOf(attribute, value));
    for (const child of children) if (typeof child === "object") visit(child);
  };
  const tree = parseTree(html);
  visit(tree.root);
  if (tree.comments.length > 0 || tree.doctype !== null) faults.push("comment");
  for (const [, css = ""] of html.matchAll(/<style>([^<]*)/g)) faults.push(...faultsOf("style", css));
  return faults;
}

function faultsOf(attribute: string, value: string): string[] {
  const isName = attribute === "id" || attribute === "name" || attribute === "class";
  return [
    ...(allowedAttribute.test(attribute) ? [] : [attribute]),
    ...(attribute === "href" && !/^(?:https?:|mailto:|tel:|#mail-)/.test(value) ? [value] : []),
    ...(attribute === "src" && !/^data:image\/(?:png|jpeg|gif|webp|bmp|avif);base64,[\w+/=]+$/.test(value)
      ? [value]
      : []),
    ...(isName && !value.split(" ").every((name) => name.startsWith("mail-")) ? [value] : []),
    ...(attribute === "style" &&
    /url|import(?!ant)|expression|behavior|binding|fixed|sticky|image|var\(|[\\<@](?!media)/i.test(value)
      ? [value]
      : []),
  ];
}

test.each(attacks)("the sanitizer removes everything dangerous from %j", (attack) => {
  const written = safe(`<p>before</p>${attack}`);
  expect(findFaults(written)).toEqual([]);
  expect(safe(attack, { images: true })).not.toMatch(/<[^>]*\spwn\(|src="(?:http:|\/\/|javascript)/);
});

test.each(attacks)("sanitizing HTML twice gives the same result as once, for %j", (attack) => {
  const once = inside(attack, { images: true });
  const strip = (html: string) => html.replace(/mail-/g, "");
  expect(strip(inside(once, { images: true }))).toBe(strip(once));
});

test("the sanitizer keeps the parts that a message consists of", () => {
  const html =
    '<table role="presentation" width="600" cellpadding="0" bgcolor="#eeeeee"><tr><td align="center" style="padding:8px;color:#333"><h1>Hello &amp; welcome</h1><p>x<br>y</p><ul><li>z</ul></td></tr></table>';
  expect(inside(html)).toBe(
    '<table role="presentation" width="600" cellpadding="0" bgcolor="#eeeeee"><tr><td align="center" style="padding:8px;color:#333"><h1>Hello &amp; welcome</h1><p>x<br>y</p><ul><li>z</li></ul></td></tr></table>',
  );
});

test("the sanitizer keeps links to web pages and mailboxes, without a referrer", () => {
  expect(inside('<a href="https://a.example/?a=1&amp;b=2">x</a>')).toBe(
    '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>',
  );
  expect(inside('<a href="mailto:a@b.example">x</a>')).toContain('href="mailto:a@b.example"');
  expect(inside('<a href="#part">x</a><p id="part">y</p>')).toBe('<a href="#mail-part">x</a><p id="mail-part">y</p>');
});

test("the safe HTML loads no images unless they are allowed, and then only over https", () => {
  const html =
    '<style>.a{background:#fff url(https://a.example/b.png) no-repeat}</style><p class=a style="background-image:url(http://a.example/c.png)"><img src="https://a.example/d.png" alt="d" srcset="https://a.example/e.png 2x"><img src="http://a.example/f.png">';
  expect(safe(html)).not.toMatch(/https?:|src=|url\(/);
  const loaded = safe(html, { images: true });
  expect(loaded).toContain('src="https://a.example/d.png"');
  expect(loaded).toContain('.mail-a{background:url("https://a.example/b.png") #fff no-repeat}');
  expect(loaded).not.toMatch(/http:|e\.png/);
});

test("the safe HTML never loads a tracking pixel", () => {
  const page = readPage(
    '<img src="https://a.example/d.png"><img src="https://t.example/o?id=0123456789abcdef" width=1 height=1>',
  );
  const { html } = toSafeHtml(page, { images: true, trackingElements: toImages(page).trackingElements });
  expect(html).toContain("a.example");
  expect(html).not.toContain("t.example");
});

test("the safe HTML loads no tracking background", () => {
  const html =
    '<p style="background:#fff url(https://u1.ct.sendgrid.net/wf/open?upn=1)">x<p style="background:url(https://a.example/b.png)">y';
  const { html: written } = toSafeHtml(readPage(html), { images: true });
  expect(written).not.toContain("sendgrid");
  expect(written).toContain("a.example/b.png");
});

test("the safe HTML shows images embedded in the message, but no other files", () => {
  const findCid = (cid: string) =>
    cid === "png"
      ? { type: "image/png", bytes: Buffer.from("x") }
      : { type: "image/svg+xml", bytes: Buffer.from("<svg/>") };
  expect(inside('<img src="cid:png"><img src="cid:svg">', { findCid })).toBe(
    '<img src="data:image/png;base64,eA=="><img>',
  );
  const huge = { type: "image/png", bytes: Buffer.alloc(1_500_000) };
  expect(inside('<img src="cid:x">'.repeat(20), { findCid: () => huge }).length).toBeLessThan(9_000_000);
});

test("the sanitizer limits styles to the message, inside conditions too", () => {
  const css =
    "body,html .x{color:red} body .y>p{color:blue} @media (max-width:600px){.z{width:100%!important}} #i a:hover{color:red} u + .a{color:red} :root{color:red}";
  expect(/<style>([^<]*)/.exec(safe(`<style>${css}</style><p>x`))?.[1]?.split("\n")).toEqual([
    ".mail-body,.mail-body .mail-x{color:red}",
    ".mail-body .mail-y>p{color:blue}",
    "@media (max-width:600px){.mail-body .mail-z{width:100%!important}}",
    ".mail-body #mail-i a:hover{color:red}",
    ".mail-body u+.mail-a{color:red}",
    ".mail-body{color:red}",
  ]);
});

test("the sanitizer keeps the page's colors and direction on the wrapper, which stays in place", () => {
  const html = safe(
    '<html lang="he" dir="rtl"><body class="w" bgcolor="#000000" text="#ffffff" style="margin:0;position:fixed;top:0">x',
  );
  expect(html).toBe(
    '<div class="mail-body mail-w" lang="he" dir="rtl" style="background-color:#000000;color:#ffffff;margin:0;top:0;position:relative!important;overflow:auto!important">x</div>',
  );
});

/** All elements, as if findings were about each of them. */
const pinned = (html: string, options: SafeHtmlOptions = {}) => {
  const page = readPage(html);
  return toSafeHtml(page, { ...options, pins: pinsOnAll(page) }).html;
};

test("the sanitizer lets no pin of the message through", () => {
  expect(safe('<p data-pin="link-text.imitates" DATA-PIN=x data-other=y>x</p>')).not.toMatch(/data-/i);
  const css = '[data-pin]{color:red} p[data-pin~="a.b"]{background:red} p{color:blue}';
  expect(safe(`<style>${css}</style><p>x`)).not.toMatch(/data-pin|red/);
});

test("the sanitizer writes pins on elements, and those of left out elements on the next one around them", () => {
  const page = readPage(
    '<body><p>a<custom>b</custom></p><div><svg><g></g></svg><form><input></form></div><td><img src="https://a.example/x"></td><img alt="c" src="x"></body>',
  );
  const names = new Map(["custom", "g", "input", "img", "body"].map((name) => [name, new Set([`${name}.1`, "b.2"])]));
  const pins = new Map(
    [...pinsOnAll(page).keys()].flatMap((element) => {
      const own = names.get(element.name);
      return own ? [[element, own] as const] : [];
    }),
  );
  expect(toSafeHtml(page, { pins }).html.replace(/ (?:class|style)="[^"]*"/g, "")).toBe(
    '<div data-pin="body.1 b.2"><p data-pin="custom.1 b.2">ab</p><div data-pin="input.1 b.2 g.1"></div><td data-pin="img.1 b.2"><img></td><img alt="c" data-pin="img.1 b.2"></div>',
  );
});

test.each(attacks)("the sanitizer with pins differs only in pins, for %j", (attack) => {
  const written = pinned(`<p>before</p>${attack}`, { images: true });
  expect(written.replace(/ data-pin="a\.b"/g, "")).toBe(safe(`<p>before</p>${attack}`, { images: true }));
});

test("the sanitizer escapes the names of pins", () => {
  const page = readPage("<p>x</p>");
  const pins = new Map([...pinsOnAll(page).keys()].map((element) => [element, new Set(['"><script>pwn()</script>'])]));
  expect(findFaults(toSafeHtml(page, { pins }).html.replaceAll("data-pin", "title"))).toEqual([]);
});

test("the sanitizer takes no other style from the body's color", () => {
  for (const value of ["red;position:fixed", "url(https://a.example/x)", 'red"onload="pwn()']) {
    const written = safe(`<body bgcolor='${value}' text='${value}'>x`);
    expect(findFaults(written)).toEqual([]);
    expect(written).not.toMatch(/red|pwn|fixed/);
  }
});

test("the sanitizer cuts output that grows too large, and says so", () => {
  const long = toSafeHtml(readPage('&lt;<b>"</b>'.repeat(45_000) + "<".repeat(500_000)));
  expect(long.html.length).toBeLessThan(5_000_000);
  expect(toSafeHtml(readPage("<b>x</b>".repeat(60_000))).isCut).toBe(true);
  expect(toSafeHtml(readPage("<b>x</b>")).isCut).toBe(false);
});
