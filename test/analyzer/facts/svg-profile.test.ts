import { expect, test } from "vitest";
import { findSvgProblem } from "../../../src/analyzer/facts/svg-profile.ts";

const root = 'xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"';
const title = "<title>A &amp; B</title>";
const logo = (content: string, attributes = root) => `<svg ${attributes}>${title}${content}</svg>`;

test.each<[what: string, text: string]>([
  ["a plain logo", logo('<rect width="64" height="64" fill="#fff"/><path d="M0 0h1z"/>')],
  [
    "the header that drawing software writes",
    `\uFEFF<?xml version="1.0"?>\n<!-- by hand: <script> -->\n<!DOCTYPE svg>\n${logo("")}\n`,
  ],
  ["internal references", logo('<defs><linearGradient id="g"/></defs><g fill="url(#g)"/>')],
  ["single quotes and line breaks", `<svg ${root.replaceAll('"', "'")}\n>\n${title}\n<g\tid = 'a>b'\n/></svg>`],
  ["text that only looks like markup", logo("<desc><![CDATA[<script>]]></desc>")],
])("a file with %s is valid", (_, text) => {
  expect(findSvgProblem(text)).toBeNull();
});

test.each<[problem: string, text: string]>([
  ["it is not an SVG", "<html><body>Not found</body></html>"],
  ["it is not an SVG", "gone"],
  ["it is not an SVG", ""],
  ['its root element lacks version="1.2"', logo("", root.replace("1.2", "1.1"))],
  ['its root element lacks baseProfile="tiny-ps"', logo("", root.replace("tiny-ps", "tiny"))],
  ["its root element has the attribute x", logo("", `${root} x="0"`)],
  ["it has no <title>", `<svg ${root}><g>${title}</g></svg>`],
  ["it has no <title>", `<svg ${root}><title/></svg>`],
  ["it contains a script (<script>)", logo("<script>alert(1)</script>")],
  ["it contains a script (<script>)", logo("<svg:script/>")],
  ["it contains an animation (<animateTransform>)", logo("<g><animateTransform/></g>")],
  ["it contains a bitmap (<image>)", logo('<image href="#a"/>')],
  ["it contains foreign content (<foreignObject>)", logo("<foreignObject/>")],
  ["it refers to an external resource", logo('<use href="https://a.example/x.svg#a"/>')],
  ["it refers to an external resource", logo('<use xlink:href="&#106;avascript:x"/>')],
  ["it refers to an external resource", logo("<g fill=\"url( 'https://a.example/x' )\"/>")],
  ["it has xlink:href, which SVG Tiny PS does not allow", logo('<use xlink:href="#g"/>')],
  ["it has href, which SVG Tiny PS does not allow", logo('<use href="#g"/>')],
  ["it has a style attribute, which SVG Tiny PS does not allow", logo('<g style="fill:#fff"/>')],
  ["it has event handlers, which are scripts", logo('<g onclick="x()"/>')],
  ["it uses a style sheet", `<?xml-stylesheet href="a.css"?>${logo("")}`],
  ["its DOCTYPE contains declarations", `<!DOCTYPE svg [<!ENTITY a "b">]>${logo("&a;")}`],
  ["it is not well-formed XML", logo("<g>")],
  ["it is not well-formed XML", logo("</g>")],
  ["it is not well-formed XML", `${logo("")}<svg/>`],
  ["it is not well-formed XML", logo("<g a=b/>")],
  ["it is not well-formed XML", logo("<!-- ")],
])('the problem "%s" is found in %s', (problem, text) => {
  expect(findSvgProblem(text)).toBe(problem);
});

test.each([
  ["elements", "<g>".repeat(80_000)],
  ["attributes", `<svg ${'a="" '.repeat(50_000)}`],
  ["one name", `<${"a".repeat(260_000)}`],
  ["an attribute without a value", `<svg ${"a".repeat(260_000)}`],
  ["spaces", `<svg ${" ".repeat(260_000)}`],
  ["comments", `${"<!--".repeat(60_000)}`],
  ["references", `<svg a="${"url(".repeat(60_000)}">`],
  ["document types", "<!DOCTYPE a>".repeat(20_000)],
])("a file that contains only %s is checked quickly", (_, text) => {
  expect(typeof findSvgProblem(text)).toBe("string");
});
