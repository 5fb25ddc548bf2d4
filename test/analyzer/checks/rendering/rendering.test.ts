import { ampPart } from "../../../../src/analyzer/checks/rendering/amp-part.ts";
import { darkMode } from "../../../../src/analyzer/checks/rendering/dark-mode.ts";
import { htmlClipping } from "../../../../src/analyzer/checks/rendering/html-clipping.ts";
import { htmlStructure } from "../../../../src/analyzer/checks/rendering/html-structure.ts";
import { layoutWidth } from "../../../../src/analyzer/checks/rendering/layout-width.ts";
import { styleSheets } from "../../../../src/analyzer/checks/rendering/style-sheets.ts";
import { multipart, part } from "../../mail/letter.ts";
import { kindFact } from "../compliance/facts.ts";
import { emptyMessage, looksOf, plainText, shown } from "../looks.ts";
import { testCheck } from "../test-check.ts";

const ofBytes = (bytes: number) => shown("<p>".padEnd(bytes, "word "));

testCheck(htmlClipping, [
  {
    when: "passes 60,000 bytes",
    facts: ofBytes(60_000),
    says: "The HTML is 60,000 bytes long. Gmail shows about the first 102,000 bytes.",
  },
  { when: "passes 80,000 bytes", facts: ofBytes(80_000) },
  {
    when: "finds 95,000 bytes",
    facts: ofBytes(95_000),
    finds: ["near"],
    says: "The HTML is 95,000 bytes long. Gmail clips messages at about 102,000 bytes.",
  },
  {
    when: "finds 110,000 bytes",
    facts: ofBytes(110_000),
    finds: ["clipped"],
    says: "The HTML is 110,000 bytes long. Gmail clips it at about 102,000 bytes.",
  },
  {
    when: "finds a Windows apostrophe declared as Latin-1",
    facts: shown("<p>It\u0092s"),
    finds: ["control-characters"],
    says: "The HTML contains the control character U+0092, which can make Gmail clip the message.",
  },
  { when: "passes an apostrophe", facts: shown("<p>It’s") },
  { when: "does not apply to an empty message", facts: emptyMessage, outcome: "not-applicable" },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const rules = (bytes: number) => ".a { color: #123456 }\n".repeat(Math.ceil(bytes / 22));

testCheck(styleSheets, [
  {
    when: "passes 9 KB in head and body, and an external font",
    facts: shown(
      '<head><link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Lato">' +
        `<style>@import url(https://fonts.googleapis.com/css?family=Inter);${rules(9_000)}</style></head>` +
        "<body><style>.b{color:red}</style><p>Hi",
    ),
  },
  {
    when: "finds an external style sheet",
    facts: shown('<head><link rel="stylesheet" href="https://sender.example/theme.css"></head><p>Hi'),
    finds: ["external"],
    says: "The HTML loads the style sheet https://sender.example/theme.css, which Gmail, Outlook.com, and Yahoo ignore.",
  },
  {
    when: "finds an import",
    facts: shown('<head><style>@import "https://sender.example/theme.css";</style></head><p>Hi'),
    finds: ["external"],
  },
  {
    when: "finds 21 KB",
    facts: shown(`<head><style>${rules(21_000)}</style></head><p>Hi`),
    finds: ["too-long"],
    why: "Without its styles, the message looks different in Gmail.",
    says: "The styles total 21,010 bytes. Gmail ignores `<style>` blocks over 16 KB.",
  },
  {
    when: "finds styles only in the body",
    facts: shown("<body><p>Hi</p><style>p{color:red}</style>"),
    finds: ["in-body"],
    says: "Every `<style>` is in the body. Gmail reads styles only in the head.",
  },
  {
    when: "passes a message without styles",
    facts: shown("<p>Hi"),
    says: "The HTML has no styles that email clients ignore.",
  },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const sound = "<!DOCTYPE html><html><body>";

testCheck(htmlStructure, [
  {
    when: "passes closed tables and comments, and an unclosed paragraph",
    facts: shown(`${sound}<!--[if mso]><table><![endif]--><p>one<p>two<table><tr><td>x<td>y</table></html>`),
  },
  {
    when: "finds an unclosed table",
    facts: shown(`${sound}\n<p>Hi</p>\n<table><tr><td>x`),
    finds: ["broken"],
    says: "The HTML is broken at line 3: `<table>` is not closed.",
    fix: "Close `<table>`.",
  },
  {
    when: "finds an end tag of a cell without a cell",
    facts: shown(`${sound}<p>Hi</p></td>`),
    finds: ["broken"],
    fix: "Remove `</td>`, or add the matching `<td>`.",
  },
  {
    when: "finds content after the end",
    facts: shown(`${sound}<p>Hi</p></body></html><p>More`),
    finds: ["broken"],
    says: "The HTML is broken at line 1: content follows `</html>`.",
  },
  {
    when: "passes two complete documents, one after the other",
    facts: looksOf(
      multipart(
        "mixed",
        "m",
        ...["one", "two"].map((text) => part(["Content-Type: text/html"], `${sound}<p>${text}</p></body></html>`)),
      ),
    ),
  },
  {
    when: "finds a missing endif",
    facts: shown(`${sound}<!--[if mso]><p>Outlook</p>--><p>Hi`),
    finds: ["conditional"],
    says: "The conditional comment at line 1 is not closed. Outlook may show nothing.",
  },
  {
    when: "finds an endif without an if",
    facts: shown(`${sound}<p>Hi</p><![endif]-->`),
    finds: ["broken"],
    says: "The HTML is broken at line 1: `<![endif]>` has no matching start.",
  },
  {
    when: "finds a missing doctype",
    facts: shown("<html><body><p>Hi</p></body></html>"),
    finds: ["no-doctype"],
    why: "Without a doctype, some email clients use old layout rules (quirks mode).",
  },
  {
    when: "needs no doctype in a personal message whose HTML was written by an email client",
    facts: { ...shown("<html><body><p>Hi</p></body></html>"), kind: kindFact("personal") },
    says: "Tables and conditional comments are closed.",
  },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const viewport = '<head><meta name="viewport" content="width=device-width"></head>';

testCheck(layoutWidth, [
  {
    when: "names no spacer as the widest part",
    facts: shown(`${viewport}<img src="https://a.example/s.gif" width="1">`),
    says: "The layout is narrow enough and has a viewport tag.",
  },
  {
    when: "passes 600 px",
    facts: shown(`${viewport}<table width="600"><tr><td>x</table>`),
    says: "The layout is narrow enough and has a viewport tag. Widest fixed part: 600 px.",
  },
  {
    when: "finds 900 px",
    facts: shown(`${viewport}<table width="900"><tr><td>x</table>`),
    finds: ["too-wide"],
    says: "A `<table>` with a fixed width makes the layout 900 px wide.",
  },
  {
    when: "passes 900 px that are narrower on a phone",
    facts: shown(
      `${viewport}<style>@media (max-width:600px){table{width:100%}}</style><table width="900"><tr><td>x</table>`,
    ),
  },
  {
    when: "passes 900 px that are never wider than the screen",
    facts: shown(`${viewport}<div style="width:900px;max-width:100%">x</div>`),
    says: "The layout is narrow enough and has a viewport tag.",
  },
  { when: "finds a missing viewport", facts: shown("<p>Hi"), finds: ["no-viewport"] },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

testCheck(darkMode, [
  { when: "passes a meta tag", facts: shown('<meta name="color-scheme" content="light dark"><p>Hi') },
  {
    when: "passes styles for dark mode",
    facts: shown("<style>@media (prefers-color-scheme:dark){p{color:#fff}}</style><p>Hi"),
  },
  { when: "reports a message without either", facts: shown("<p>Hi"), finds: ["undeclared"] },
  { when: "does not apply to plain text", facts: plainText, outcome: "not-applicable" },
]);

const text = part(["Content-Type: text/plain"], "Hi");
const html = part(["Content-Type: text/html"], "<p>Hi");
const amp = (content = "<!doctype html>\r\n<html amp4email data-css-strict><p>Hi") =>
  part(["Content-Type: text/x-amp-html; charset=utf-8"], Buffer.from(content).toString("latin1"));

testCheck(ampPart, [
  {
    when: "passes an AMP part between text and HTML",
    facts: looksOf(multipart("alternative", "a", text, amp(), html)),
  },
  {
    when: "passes an AMP part marked by the sign",
    facts: looksOf(multipart("alternative", "a", text, amp("<html ⚡4email><p>Hi"), html)),
  },
  {
    when: "finds an AMP part after the HTML",
    facts: looksOf(multipart("alternative", "a", text, html, amp())),
    finds: ["invalid"],
    says: "The AMP part is unusable: it comes after the HTML.",
  },
  {
    when: "finds an AMP part without HTML",
    facts: looksOf(multipart("alternative", "a", text, amp())),
    finds: ["invalid"],
    says: "The AMP part is unusable: there is no HTML part next to it.",
  },
  {
    when: "finds an AMP part outside of the alternatives and without the mark",
    facts: looksOf(multipart("mixed", "m", multipart("alternative", "a", text, html), amp("<html><p>Hi"))),
    finds: ["invalid"],
    says: "The AMP part is unusable: it is not in multipart/alternative and its `<html>` has no `⚡4email` attribute.",
  },
  {
    when: "finds an AMP part that is too large",
    facts: looksOf(multipart("alternative", "a", text, amp(`<html ⚡4email>\r\n${"<p>Hi\r\n".repeat(30_000)}`), html)),
    finds: ["invalid"],
  },
  {
    when: "does not apply without an AMP part",
    facts: looksOf(multipart("alternative", "a", text, html)),
    outcome: "not-applicable",
  },
  { when: "does not apply to an empty message", facts: emptyMessage, outcome: "not-applicable" },
]);
