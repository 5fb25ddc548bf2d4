import { expect, test } from "vitest";
import { toTable } from "../../src/cli/table.ts";

test("columns are as wide as their widest cell", () => {
  expect(
    toTable([
      ["a", "b"],
      ["long", "c"],
    ]),
  ).toBe("a     b\nlong  c");
});

test("a stranger's text cannot steer the terminal", () => {
  const table = toTable([
    ["\u001b[31mred", "\u202ebidi"],
    ["a\nb", "c"],
  ]);
  for (const character of ["\u001b", "\u202e"]) expect(table).not.toContain(character);
  expect(table.split("\n")).toHaveLength(2);
});
