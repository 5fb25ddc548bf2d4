// What the product says is plain English: the dialect of its first year stays out of pages, messages, documents and comments.
// The list of words (scripts/texts.ts) holds certain ones only. It guards against a relapse and replaces no ear.

import { describe, expect, test } from "vitest";
import { dialectIn, readAllTexts, readTexts } from "../../scripts/texts.ts";

describe("the language of the product", () => {
  test("the language of the product is plain English in texts, comments, and test titles", () => {
    const texts = readAllTexts();
    expect(texts.length).toBeGreaterThan(10_000);
    const problems = texts.flatMap((text) => {
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

  test("the language of the product reads strings, templates, element text, and comments with their lines", () => {
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
});
