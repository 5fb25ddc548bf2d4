import { describe, expect, test } from "vitest";
import { weaknessOf } from "../../scripts/regexes/judge.ts";
import { problemsOf, readRegexes } from "../../scripts/regexes.ts";

describe("the law of regular expressions", () => {
  test.each([
    ["a loop inside a loop", /^(?:a+)+$/],
    ["a loop over two branches that match the same", /^(?:a|a)*$/],
    ["two adjacent loops that match the same", /^\s*\s*x/],
    ["two loops with an optional part between them", /^\d+(?:\.)?\d+x/],
    ["two loops with a character between them that the second one matches", /^[^<>]+@[^<>]+>/],
    ["a search that is anchored only at the end", /\s+$/],
    ["a search whose loop matches its own beginning", /\[\[.*?\]\]/g],
    ["a search that looks back at each place", /(?<=^\s*)x/],
    ["a search that looks ahead at each place", /\B(?=(?:\d{3})+$)/g],
    ["matches that each read to the end first", /a[^b]*b|a/g],
    ["a loop after a fixed beginning", /^begin:(?:\w+\s?)*$/],
    ["a loop that ignores case", /^(?:a|A)*$/i],
    ["a loop where modifiers ignore case", /^(?i:(?:a|A)*)$/],
    ["a loop over characters beyond the BMP", /^(?:😀|\p{Emoji})*$/u],
    ["a reference to a group with a loop", /^(a*)\1*b/],
    ["a bound of several thousand", /<!--.{0,5000}-->/s],
  ])("the law of regular expressions rejects %s", (_name, regex) => {
    expect(weaknessOf(regex)).toMatchObject({ problem: "grows faster than its text" });
  });

  test("the law of regular expressions rejects nested bounds", () => {
    expect(weaknessOf(/(?:\w{1,30} ?){0,4}!/)).toMatchObject({ problem: "costs more than 1000 steps a character" });
  });

  test.each([
    ["no loop", /^(?:one|two|three)$/],
    ["a loop at the end of a search", /https?:\S+/g],
    ["a loop that ends where other characters begin", /^\s*[a-z]+\s*=/],
    ["a loop that excludes its own beginning", /<[^<>]*>/g],
    ["a search that begins only at the start of a run", /(?<!\s)\s+$/],
    ["a loop without backtracking", /^(?=(\w*))\1\w*x/],
    ["words with one character between them", /^\w+(?:-\w+)*$/],
    ["a bounded gap", /begin.{0,60}end/],
    ["bounded loops between the same delimiters", /=\?([^?]{0,9})\?([^?]{0,9})\?([^?]{0,9})\?=/g],
  ])("the law of regular expressions accepts %s", (_name, regex) => {
    expect(weaknessOf(regex)).toBeUndefined();
  });

  test("the law of regular expressions names the place, the slowest text, and the pattern", () => {
    expect(problemsOf([{ place: "analyzer/mail/links/links.ts:7", regex: /^(?:a+)+$/ }])).toEqual([
      expect.stringMatching(
        /^src\/analyzer\/mail\/links\/links\.ts:7: grows faster than its text on .*"a".* over and over.*: \/\^\(\?:a\+\)\+\$\/$/,
      ),
    ]);
  });

  test.each([/^(?i:dear|hello)/, /(?-i:b)/i, /(?ms-i:c)/])(
    "the law of regular expressions rejects the modifier of %s",
    (regex) => {
      expect(problemsOf([{ place: "analyzer/mail/links/links.ts:7", regex }])).toEqual([
        expect.stringContaining("src/analyzer/mail/links/links.ts:7: has a modifier"),
      ]);
    },
  );

  test("the law of regular expressions finds regular expression literals and constructors in a file", () => {
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
