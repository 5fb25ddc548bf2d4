// Pages, messages, documents, comments, and the names of tests are plain English, without the dialect of our first year.
// The list of words (scripts/texts.ts) contains only certain ones. It prevents a relapse and doesn't replace reading.

import { describe, expect, test } from "vitest";
import { dialectIn, readAllTexts, readAllTitles, readTexts, readTitles } from "../../scripts/texts.ts";

describe("the law of plain English", () => {
  test("every text, comment, and test title is plain English", () => {
    const texts = readAllTexts();
    const titles = readAllTitles();
    expect(texts.length).toBeGreaterThan(10_000);
    expect(titles.length).toBeGreaterThan(6_000);
    const problems = [...texts, ...titles].flatMap((text) => {
      const word = dialectIn(text);
      return word ? [`${text.place}  ${text.text.slice(0, 120)}  ${word}`] : [];
    });
    expect(problems).toEqual([]);
  });

  test.each([
    "17 faults are yours to mend.",
    "Analyze it anew",
    "You are told when one changes.",
    "A mailbox of yours shows where your mail lands.",
    "What stands behind a plus labels the test.",
    "Whoever is not of it cannot tell.",
    "It goes to and fro.",
    "Your e-mail was received.",
  ])("the law of plain English rejects %j", (text) => {
    expect(dialectIn({ kind: "text", text })).toBeDefined();
  });

  test("the law of plain English rejects “Of” at the start of a comment, but not of a text", () => {
    expect(dialectIn({ kind: "comment", text: "Of what is longer the rest is not looked at." })).toBeDefined();
    expect(dialectIn({ kind: "text", text: "Of 12 tests, 3 failed." })).toBeUndefined();
  });

  test.each([
    "of an IPv6 address every digit is a part",
    "is skipped without a session",
    "nobody is told",
    "a report tells of a second address",
    "a date that is none is rejected",
    "a patient client stays connected",
    "an organisation has one policy",
  ])("the law of plain English rejects the test title %j", (text) => {
    expect(dialectIn({ kind: "title", text })).toBeDefined();
  });

  test("the law of plain English accepts a test title that says what happens", () => {
    expect(dialectIn({ kind: "title", text: "counts every digit of an IPv6 address separately" })).toBeUndefined();
  });

  test("the law of plain English ignores SQL, style sheets, class names, and expressions", () => {
    const source = [
      "const rows = sql<Row>`where $" + "{test} is not gone`;",
      'db.run("select id from tests where id = ?");',
      'query.select("source_ip as sourceIp").where("ended_at", "is not", null);',
      'const style = ":root { color-scheme: light dark; }";',
      'const words = "click here|read more|learn more|see more";',
      'const row = <p class="row small muted">Select one of the tests.</p>;',
      "const refusal = `Update {…} first. Create a table from it.`;",
    ].join("\n");
    expect(readTexts("x.tsx", source).map(({ text }) => text)).toEqual([
      "Select one of the tests.",
      "Update {…} first. Create a table from it.",
    ]);
  });

  test("the law of plain English reads strings, templates, element text, and comments with their lines", () => {
    const source = [
      'import { a } from "not read here";',
      "// First words of",
      "// a comment.",
      "const b = `There are $" + "{a} tests.`;",
      'const c = <p title="A title here">Send a message.</p>;',
    ].join("\n");
    expect(readTexts("x.tsx", source)).toEqual([
      { place: "x.tsx:2", kind: "comment", text: "First words of a comment." },
      { place: "x.tsx:4", kind: "text", text: "There are {…} tests." },
      { place: "x.tsx:5", kind: "text", text: "A title here" },
      { place: "x.tsx:5", kind: "text", text: "Send a message." },
    ]);
  });

  test("the law of plain English reads the titles of tests, groups, tables, and cases with their lines", () => {
    const source = [
      'describe("a group of tests", () => {',
      '  test("a test of it", async () => {});',
      '  test("a slow one", { timeout: 9 }, () => {});',
      '  test.each([["a row", 1]])(',
      '    "the value of %s is %i",',
      "    (_, value) => expect(value).toBe(1),",
      "  );",
      "});",
      'testCheck(check, [{ when: "passes one author", facts }]);',
    ].join("\n");
    expect(readTitles("x.test.ts", source).map(({ place, text }) => `${place} ${text}`)).toEqual([
      "x.test.ts:1 a group of tests",
      "x.test.ts:2 a test of it",
      "x.test.ts:3 a slow one",
      "x.test.ts:4 the value of %s is %i",
      "x.test.ts:9 check passes one author",
    ]);
  });
});
