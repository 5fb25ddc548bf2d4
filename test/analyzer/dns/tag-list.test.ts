import { describe, expect, test } from "vitest";
import { parseTagList } from "../../../src/analyzer/dns/tag-list.ts";

function read(text: string): Record<string, string> | string {
  const list = parseTagList(text);
  return list.ok ? Object.fromEntries(list.tags.map(({ name, value }) => [name, value])) : list.problem;
}

describe("a tag list", () => {
  test.each([
    ["v=1; a=b", { v: "1", a: "b" }],
    ["v=1;a=b;", { v: "1", a: "b" }],
    ["v=1; \r\n\t", { v: "1" }],
    [" v = 1 ;\r\n\ta\t=\tb c\r\n d ", { v: "1", a: "b c\r\n d" }],
    ["a=", { a: "" }],
    ["a=b=c=", { a: "b=c=" }],
    ["a_1=x; A=y; a=z", { a_1: "x", A: "y", a: "z" }],
    ["constructor=1; get=2", { constructor: "1", get: "2" }],
  ])("the tag list %j is parsed", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["", /empty/],
    [" \r\n ", /empty/],
    [";", /empty tag/],
    ["a=1;;b=2", /empty tag/],
    ["a=1; ;b=2", /empty tag/],
    ["a=1;;", /empty tag/],
    ["a", /name=value/],
    ["a=1; b", /name=value/],
    ["=1", /name=value/],
    ["1a=1", /name=value/],
    ["a-b=1", /name=value/],
    ["a b=1", /name=value/],
    ["__proto__=1", /name=value/],
    ["a=1; a=1", /a= appears more than once/],
  ])("the tag list %j is rejected with a reason", (text, problem) => {
    expect(read(text)).toMatch(problem);
  });

  test("a tag list returns the valid tags of an invalid list", () => {
    expect(parseTagList("d=example.com; ; d=other").tags).toEqual([
      { name: "d", value: "example.com" },
      { name: "d", value: "other" },
    ]);
  });

  test("a tag list returns no tag that is missing", () => {
    const list = parseTagList("a=1");
    expect(list.ok && [list.get("a"), list.get("b"), list.get("toString")]).toEqual(["1", undefined, undefined]);
  });

  test.each([" ", "\t\r\n", ";", "=", "a", "a=", "a=;"])(
    "a tag list with a million of %j is parsed in one pass",
    (piece) => {
      expect(() => parseTagList(`v=1;${piece.repeat(1_000_000)}`)).not.toThrow();
    },
  );
});
