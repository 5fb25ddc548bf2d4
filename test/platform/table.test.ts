import { expect, test } from "vitest";
import { toTable } from "../../src/platform/table.ts";

test("columns are as wide as their widest cell", () => {
  expect(
    toTable([
      ["a", "b"],
      ["long", "c"],
    ]),
  ).toBe("a     b\nlong  c");
});

test("hostile text in a table cannot control the terminal", () => {
  const table = toTable([
    ["\u001b[31mred", "\u202ebidi"],
    ["a\nb", "c"],
  ]);
  for (const character of ["\u001b", "\u202e"]) expect(table).not.toContain(character);
  expect(table.split("\n")).toHaveLength(2);
});

test("a long cell does not widen its column", () => {
  const long = "x".repeat(60);
  const table = toTable([
    ["From", long],
    ["SPF", "pass", "why"],
    ["SPF", long, "why"],
  ]);
  expect(table).toBe(`From  ${long}\nSPF   pass  why\nSPF   ${long}  why`);
});

test("the last cell of a row wraps below itself at the edge of the terminal", () => {
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

test("text is not wrapped for a terminal that is too narrow to read", () => {
  expect(toTable([["SPF", "one two three four five six"]], 12)).toBe("SPF  one two three four five six");
});

test("the last cell starts on the next line if no room is left beside the others", () => {
  const table = toTable([["ASSAY_DATA_DIR", "(./data)", "Directory for all data, with mode 0700."]], 40);
  expect(table.split("\n")).toEqual(["ASSAY_DATA_DIR  (./data)", "    Directory for all data, with mode", "    0700."]);
});

test("an extremely long cell is cut and says so", () => {
  expect(toTable([["a", "x".repeat(2_000)]])).toMatch(/x… \(2000 characters\)$/);
});
