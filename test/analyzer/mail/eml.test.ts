import { expect, test } from "vitest";
import { toEmlContent } from "../../../src/analyzer/mail/eml.ts";
import { readPage, toHtml } from "../../../src/analyzer/mail/html/page.ts";
import { toSafeHtml } from "../../../src/analyzer/mail/html/safe-html.ts";
import { toImages } from "../../../src/analyzer/mail/links/images.ts";
import { toLinks } from "../../../src/analyzer/mail/links/links.ts";

const newsletter = `<!DOCTYPE html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>News</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body{margin:0}.mobile{display:none}@media (max-width:600px){.mobile{display:block!important}.wide{width:100%!important}}</style>
<!--[if mso]><style>table{border-collapse:collapse}</style><![endif]--></head>
<body style="background-color:#f4f4f4"><div style="display:none;max-height:0;overflow:hidden;mso-hide:all">Three offers for the season &zwnj;&nbsp;&zwnj;&nbsp;</div>
<!--[if mso]><table width="600"><tr><td><![endif]-->
<table role="presentation" class="wide" width="600" cellpadding="0" style="max-width:600px;background:#fff"><tr><td style="padding:16px;font-family:Arial,sans-serif;font-size:15px;color:#333">
<h1 style="font-size:24px">Hello</h1><p>This week we have three offers for you, and a story about a shoe.</p>
<a href="https://shop.sender.example/shoe?utm_source=news"><img src="https://img.sender.example/shoe.png" width="280" height="180" alt="Blue shoe"></a>
<div class="mobile">Open this in our app</div><a href="https://shop.sender.example/">See all offers</a>
<tr><td style="font-size:12px;color:#595959">Sender Ltd, 1 Main Street. <a href="https://sender.example/u/abc" style="color:#595959">Unsubscribe</a></td></tr></table>
<!--[if mso]></td></tr></table><![endif]--><img src="https://u1.ct.sendgrid.net/wf/open?upn=u001.abc" width="1" height="1" alt="">
</body></html>`;

function contentOf(text: string) {
  const page = readPage(text);
  const images = toImages(page);
  const safe = toSafeHtml(page, { trackingElements: images.trackingElements });
  return toEmlContent(safe, images, toLinks(page, "Or read it at https://sender.example/news."));
}

test("a well-made newsletter has no issues", () => {
  const html = toHtml(readPage(newsletter), { text: newsletter });
  expect(html).toMatchObject({ cuts: [], faultCount: 0, lang: "en", title: "News", preview: { from: "hidden" } });
  expect(html.comments).toMatchObject({ conditional: 3, conditionFaults: [] });
  expect(html.hiddenRuns.map(({ exempt }) => exempt)).toEqual(["preheader", "media"]);
  expect(html.active).toMatchObject({ scripts: 0, forms: 0, base: null, frames: [] });
  expect(html.tables).toEqual({ layout: 1, layoutWithRole: 1, withHeaders: 0 });
  expect(html.textStyles.every(({ contrast }) => (contrast ?? 0) >= 4.5)).toBe(true);
});

test("the content of a newsletter has what the report shows", () => {
  const content = contentOf(newsletter);
  expect(content.tracking_pixels).toEqual([
    {
      src: "https://u1.ct.sendgrid.net/wf/open?upn=u001.abc",
      host: "u1.ct.sendgrid.net",
      service: "SendGrid",
      reasons: ["belongs to SendGrid", "is 1×1 pixels"],
    },
  ]);
  expect(content.links.map(({ text, host, place, warnings }) => [text, host, place, warnings])).toEqual([
    ["Blue shoe", "shop.sender.example", "html", []],
    ["See all offers", "shop.sender.example", "html", []],
    ["Unsubscribe", "sender.example", "html", []],
    ["https://sender.example/news", "sender.example", "text", []],
  ]);
  expect(content.images.map(({ kind, alt, width }) => [kind, alt, width])).toEqual([
    ["remote", "Blue shoe", 280],
    ["remote", "", 1],
  ]);
  expect(content).toMatchObject({ html_safe_cut: false, images_cut: 0, links_cut: 0 });
  expect(content.html_safe).not.toMatch(/sendgrid|img\.sender/);
});

test("a redirected link has its final target", () => {
  const { links } = contentOf('<a href="https://www.google.com/url?q=https://evil.test/x">Offer</a>');
  expect(links[0]).toMatchObject({
    redirector: { name: "Google", target: "https://evil.test/x" },
    warnings: ["Opens evil.test through an open redirect at Google."],
    warning_checks: ["link-redirector"],
  });
});

test("a web address in plain text is shown as written", () => {
  const { list } = toLinks(null, "Our yarns: www.meadow.example/yarns.");
  expect(list[0]).toMatchObject({ host: "www.meadow.example", scheme: null });
  const { links } = toEmlContent(null, { list: [], total: 0, trackingElements: new Set() }, { list, total: 1 });
  expect(links[0]).toMatchObject({
    text: "www.meadow.example/yarns",
    href: "www.meadow.example/yarns",
    host: "www.meadow.example",
    warnings: [],
  });
});

test("a tracked link without a known service has no service name", () => {
  const { links } = contentOf('<a href="https://click.sender.example/r?utm_source=news">Offer</a>');
  expect(links[0]?.redirector).toEqual({ name: null, target: null });
});
