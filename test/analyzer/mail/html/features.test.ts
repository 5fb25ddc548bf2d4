import { expect, test } from "vitest";
import { readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";
import { toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { letter, multipart, ordinaryHead, part } from "../letter.ts";

const read = (text: string) => toHtml(readPage(text), { text });

test("the HTML parser finds styles that apply on any screen", () => {
  const { styles } = read(
    "<style>@font-face{font-family:x} p{COLOR:red;background:url(a.png)} @media (hover){p{opacity:.5}}</style>" +
      '<style media="print">p{float:left}</style>' +
      '<p style="background-image:linear-gradient(red,var(--b));--own:1">x',
  ).features;
  expect([...styles].sort()).toEqual([
    "@font-face",
    "background",
    "background-image",
    "color",
    "linear-gradient()",
    "var()",
  ]);
});

test("the HTML parser finds layouts outside of tables", () => {
  const two = "<i>1</i><i>2</i>";
  const { layouts } = read(
    `<div style="display:flex">${two}</div><div style="display:inline-flex">${two}</div>` +
      `<div style="display:grid"><i>1</i></div><table><tr><td style="display:grid">${two}</table>` +
      '<div style="display:none;position:absolute">x</div>',
  ).features;
  expect([...layouts]).toEqual([["flex", 2]]);
});

test("the HTML parser finds media without fallback content", () => {
  const { bareMedia } = read(
    '<video><source src="a.mp4"></video><video>Your program shows no films.</video><audio src="a.mp3"></audio><svg></svg>',
  ).features;
  expect([...bareMedia]).toEqual([
    ["video", 1],
    ["audio", 1],
    ["svg", 1],
  ]);
});

test("the HTML parser finds headings by element and by role", () => {
  expect(read('<h1>a</h1><h6>b</h6><div role="heading">c</div><hr><header>d</header>').headings).toBe(3);
});

test.each([
  ["<p dir=RTL>x", true],
  ["<p dir=auto>x", true],
  ['<p style="color:red; direction : rtl">x', true],
  ['<html dir=ltr><p class="rtl">x', false],
])("the HTML parser detects whether %s marks right-to-left text", (text, marks) => {
  expect(read(text).marksRightToLeft).toBe(marks);
});

test("the HTML parser finds the label of a linked image", () => {
  const page = readPage('<a href="/" aria-label=" Shop "><img src="a.png"></a><a href="/" title="Home"><img></a><img>');
  expect(toImages(page).list.map(({ linkLabel }) => linkLabel)).toEqual(["Shop", "Home", null]);
});

test.each([
  ["<!doctype html><html ⚡4email><body>x", true],
  ["<html lang=en amp4email>x", true],
  ["<html ⚡>x", false],
  ["<html>amp4email", false],
])("the HTML parser detects whether %s is marked as AMP for Email", (content, isMarked) => {
  const amp = part(["Content-Type: text/x-amp-html"], Buffer.from(content).toString("latin1"));
  const { message } = readMessage(letter(...ordinaryHead, multipart("alternative", "a", amp)));
  expect(message.amp).toMatchObject({ isMarked, part: { type: "text/x-amp-html" } });
});
