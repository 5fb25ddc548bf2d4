import { expect, test } from "vitest";
import { findClosest } from "../../src/platform/closest-word.ts";

const commands = ["analyze", "domain", "doctor", "spf", "wait", "workspace list"];

test.each([
  ["anlyze", "analyze"],
  ["analyse", "analyze"],
  ["domian", "domain"],
  ["doctors", "doctor"],
  ["spff", "spf"],
  ["wrokspace lsit", "workspace list"],
  ["analyze", "analyze"],
])("the mistyped command %j is close to %j", (word, meant) => expect(findClosest(word, commands)).toBe(meant));

test.each([["frobnicate"], ["do"], [""], ["send"], ["x".repeat(10_000)]])(
  "the word %j is close to no command",
  (word) => expect(findClosest(word, commands)).toBeUndefined(),
);

test("the closest of several words is suggested", () => {
  expect(findClosest("HTTP_HOTS", ["HTTP_PORT", "HTTP_HOST"])).toBe("HTTP_HOST");
});
