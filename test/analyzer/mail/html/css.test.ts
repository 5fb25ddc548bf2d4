import { expect, test } from "vitest";
import { parseDeclarations, parseSheet } from "../../../../src/analyzer/mail/html/css.ts";
import { parseSelectors } from "../../../../src/analyzer/mail/html/css-selectors.ts";
import {
  contrastOf,
  parseColor,
  parseFontSize,
  parseLength,
  toHex,
} from "../../../../src/analyzer/mail/html/css-values.ts";

const pairs = (text: string) => parseDeclarations(text).map(({ property, value }) => `${property}=${value}`);

test("the CSS parser parses declarations with strings, brackets, and comments", () => {
  expect(pairs("Color: red; background:url(data:a;b) ; font-family:'a;b', c/*;*/;;x")).toEqual([
    "color=red",
    "background=url(data:a;b)",
    "font-family='a;b', c",
  ]);
  expect(parseDeclarations("color:red ! important")).toEqual([{ property: "color", value: "red", important: true }]);
});

test("the CSS parser decodes escapes that hide names and functions", () => {
  expect(pairs("b\\61 ckground:\\75 rl(https://a.example/x)")).toEqual(["background=url(https://a.example/x)"]);
});

test("the CSS parser parses rules with their conditions", () => {
  const sheet = parseSheet("a{x:y} @media (max-width:600px){ .b, p > i{c:d} @supports (e:f){h{i:j}} } k{l:m}");
  expect(sheet.rules.map(({ conditions, selectors }) => [selectors.length, conditions])).toEqual([
    [1, []],
    [2, ["@media (max-width:600px)"]],
    [1, ["@media (max-width:600px)", "@supports (e:f)"]],
    [1, []],
  ]);
});

test("the CSS parser continues after invalid CSS", () => {
  const sheet = parseSheet("} ; @import url(a.css); @font-face{src:url(f)} <!-- a{b:c(} d{e:f} g{{h:i}} j{k:l}");
  expect(sheet.atRules.map(({ name }) => name)).toEqual(["import", "font-face"]);
  expect(sheet.rules.flatMap(({ selectors }) => selectors.map(({ compounds }) => compounds.at(-1)?.tag))).toEqual([
    "a",
    "d",
    "g",
    "j",
  ]);
});

test.each([
  ["#fff", "#ffffff"],
  ["WHITE", "#ffffff"],
  ["rgb(0, 128, 255)", "#0080ff"],
  ["rgb(0 50% 100% / 0.5)", "#0080ff"],
  ["hsl(120, 100%, 25%)", "#008000"],
  ["rebeccapurple", "#663399"],
])("the CSS parser parses the color %s", (text, hex) => {
  const color = parseColor(text);
  expect(color && toHex(color)).toBe(hex);
});

test("the CSS parser does not guess a color that depends on other values", () => {
  for (const text of ["var(--x)", "currentcolor", "#12", "rgb(1,2)", "blurple"]) expect(parseColor(text)).toBeNull();
});

test("the CSS parser measures contrast as WCAG does", () => {
  const of = (one: string, other: string) => contrastOf(parseColor(one) ?? fail(), parseColor(other) ?? fail());
  expect(of("#000", "#fff")).toBeCloseTo(21);
  expect(of("#595959", "#fff")).toBeCloseTo(7, 1);
  expect(of("#999", "#fff")).toBeCloseTo(2.85, 2);
});

function fail(): never {
  throw new Error("no colour");
}

test("the CSS parser converts lengths to pixels", () => {
  expect(parseLength("12pt", 16)).toBe(16);
  expect(parseLength("1.5em", 10)).toBe(15);
  expect(parseLength("50%", 16)).toBeNull();
  expect(parseLength("calc(1px)", 16)).toBeNull();
  expect(parseFontSize("small", 16)).toBe(13);
  expect(parseFontSize("50%", 20)).toBe(10);
});

test.each(["[a=b]", "[ a = b ]", "[a='b' i]", '[a="b"i ]', "[a=b s]"])(
  "the CSS parser parses the attribute selector %s",
  (text) => {
    expect(parseSelectors(text)).toMatchObject([{ compounds: [{ attributes: [{ name: "a", value: "b" }] }] }]);
  },
);
