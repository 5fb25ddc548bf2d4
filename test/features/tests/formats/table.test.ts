import { expect, test } from "vitest";
import { toTable } from "../../../../src/features/tests/formats/table.ts";

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

test("a long cell widens no column, neither at the end of its row nor in the middle", () => {
  const long = "x".repeat(60);
  const table = toTable([
    ["From", long],
    ["SPF", "pass", "why"],
    ["SPF", long, "why"],
  ]);
  expect(table).toBe(`From  ${long}\nSPF   pass  why\nSPF   ${long}  why`);
});

test("at the edge of a terminal the last cell goes on below itself", () => {
  const table = toTable(
    [
      ["DMARC", "v=DMARC1; p=reject; rua=mailto:a@a.example,mailto:b@b.example"],
      ["KEY", `p=${"A".repeat(50)}`],
    ],
    40,
  );
  expect(table.split("\n")).toEqual([
    "DMARC  v=DMARC1; p=reject;",
    "       rua=mailto:a@a.example,",
    "       mailto:b@b.example",
    `KEY    p=${"A".repeat(31)}`,
    `       ${"A".repeat(19)}`,
  ]);
});

test("a terminal that is too narrow to read is not wrapped for", () => {
  expect(toTable([["SPF", "one two three four five six"]], 12)).toBe("SPF  one two three four five six");
});

test("a cell beyond all measure is cut and says so", () => {
  expect(toTable([["a", "x".repeat(2_000)]])).toMatch(/x… \(2000 characters\)$/);
});
