import { expect, test } from "vitest";
import { longestCell, toCsvLine } from "../../../src/analyzer/reports/csv.ts";

const cell = (text: string) => toCsvLine([text]).slice(0, -2);

test("a CSV line ends with CRLF, and a missing value is an empty cell", () => {
  expect(toCsvLine(["a", null, 87.5, 0, ""])).toBe("a,,87.5,0,\r\n");
});

test.each([
  ["a comma", "a,b", '"a,b"'],
  ["a quote", 'say "hi"', '"say ""hi"""'],
  ["a line break", "a\r\nb", '"a\r\nb"'],
  ["a single carriage return", "a\rb", '"a\rb"'],
  ["a space at the start", " a", '" a"'],
  ["a space at the end", "a ", '"a "'],
  ["nothing special", "Grüße 🎉; it's fine", "Grüße 🎉; it's fine"],
])("a cell with %s keeps its text", (_what, text, written) => {
  expect(cell(text)).toBe(written);
});

test.each([
  ["=1+1", "'=1+1"],
  ["+49 30 1", "'+49 30 1"],
  ["-5%", "'-5%"],
  ["@sum(a1)", "'@sum(a1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠a", "'＠a"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
])("the cell %j cannot run as a formula", (text, written) => {
  expect(cell(text)).toBe(written);
});

test("signs inside a text and negative numbers are not changed", () => {
  expect(toCsvLine(["a=b", "1-2", -1])).toBe("a=b,1-2,-1\r\n");
});

test("control characters and lone surrogates are replaced", () => {
  expect(cell("a\0b\x1b[31m\x7f\x9bc\ud800d")).toBe("a\ufffdb\ufffd[31m\ufffd\ufffdc\ufffdd");
});

test("a cell is cut at the limit of spreadsheets", () => {
  const long = cell(`=${"x".repeat(200_000)}`);
  expect(long).toHaveLength(longestCell);
  expect(long).toMatch(/^'=x+…$/);
  expect(cell("x".repeat(longestCell))).toBe("x".repeat(longestCell));
  expect(cell("🎉".repeat(longestCell)).isWellFormed()).toBe(true);
});
