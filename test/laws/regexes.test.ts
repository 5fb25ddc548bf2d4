import { describe, expect, test } from "vitest";
import { weaknessOf } from "../../scripts/regexes/judge.ts";
import { problemsOf, readRegexes } from "../../scripts/regexes.ts";

describe("the law of regular expressions", () => {
  test.each([
    ["a loop inside a loop", /^(?:a+)+$/],
    ["a loop over two branches that take the same", /^(?:a|a)*$/],
    ["two loops side by side that take the same", /^\s*\s*x/],
    ["two loops with something between that may be missing", /^\d+(?:\.)?\d+x/],
    ["two loops with a sign between that the second takes", /^[^<>]+@[^<>]+>/],
    ["a search for what ends the text", /\s+$/],
    ["a search whose loop takes its own beginning", /\[\[.*?\]\]/g],
    ["a search that looks back at each place", /(?<=^\s*)x/],
    ["a search that looks ahead at each place", /\B(?=(?:\d{3})+$)/g],
    ["matches that each look to the end first", /a[^b]*b|a/g],
    ["a loop behind a beginning of its own", /^begin:(?:\w+\s?)*$/],
    ["a loop that ignores case", /^(?:a|A)*$/i],
    ["a loop where modifiers ignore case", /^(?i:(?:a|A)*)$/],
    ["a loop over characters beyond the BMP", /^(?:😀|\p{Emoji})*$/u],
    ["what a group took, again", /^(a*)\1*b/],
    ["a bound of thousands", /<!--.{0,5000}-->/s],
  ])("rejects %s", (_name, regex) => {
    expect(weaknessOf(regex)).toMatchObject({ problem: "grows faster than its text" });
  });

  test("rejects nested bounds", () => {
    expect(weaknessOf(/(?:\w{1,30} ?){0,4}!/)).toMatchObject({ problem: "costs more than 1000 steps a character" });
  });

  test.each([
    ["no loop", /^(?:one|two|three)$/],
    ["a loop at the end of a search", /https?:\S+/g],
    ["a loop that ends where something else begins", /^\s*[a-z]+\s*=/],
    ["a loop that its own beginning ends", /<[^<>]*>/g],
    ["a search that begins only where the loop's first stands", /(?<!\s)\s+$/],
    ["a loop that is never gone back into", /^(?=(\w*))\1\w*x/],
    ["words with one sign between", /^\w+(?:-\w+)*$/],
    ["a bounded gap", /begin.{0,60}end/],
    ["matches that fall out of step with the text", /=\?([^?]{0,9})\?([^?]{0,9})\?([^?]{0,9})\?=/g],
  ])("accepts %s", (_name, regex) => {
    expect(weaknessOf(regex)).toBeUndefined();
  });

  test("names the place, the slowest text, and the pattern", () => {
    expect(problemsOf([{ place: "analyzer/mail/links/links.ts:7", regex: /^(?:a+)+$/ }])).toEqual([
      expect.stringMatching(
        /^src\/analyzer\/mail\/links\/links\.ts:7: grows faster than its text on .*"a".* over and over.*: \/\^\(\?:a\+\)\+\$\/$/,
      ),
    ]);
  });

  test.each([/^(?i:dear|hello)/, /(?-i:b)/i, /(?ms-i:c)/])("rejects the modifier of %s", (regex) => {
    expect(problemsOf([{ place: "analyzer/mail/links/links.ts:7", regex }])).toEqual([
      expect.stringContaining("src/analyzer/mail/links/links.ts:7: has a modifier"),
    ]);
  });

  test("finds regular expression literals and constructors in a file", () => {
    const text = [
      "const half = whole / 2 / parts;",
      "// a comment with /a+/g",
      'const path = "/b+/g";',
      "const literal = /[/]c+\\//gu;",
      "const made = new RegExp(",
      "  `d+`,",
      ");",
      "const isOne = value instanceof RegExp;",
      "const inTemplate = `$" + "{name.replace(/e+/, '')}`;",
    ].join("\n");
    const { literals, makings } = readRegexes({ path: "mail/a.ts", text });
    expect(literals.map(({ place, regex }) => `${place} ${regex}`)).toEqual([
      "mail/a.ts:4 /[/]c+\\//gu",
      "mail/a.ts:9 /e+/",
    ]);
    expect(makings).toEqual(["mail/a.ts:5"]);
  });
});
