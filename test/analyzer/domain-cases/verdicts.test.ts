// The whole analysis over signed letters: every verdict with the section that demands it.

import { describe, expect, test } from "vitest";
import { verdictTable } from "./verdict-table.ts";
import { analyzeLetter, toVerdict } from "./verdict-world.ts";

describe.each(Object.entries(verdictTable))("%s", (_, rows) => {
  test.each(Object.entries(rows))("%s", async (_, [verdict, letter]) => {
    expect(toVerdict(await analyzeLetter(letter))).toBe(verdict);
  });
});

test("the table holds hundreds of letters, each of them another", () => {
  const letters = Object.values(verdictTable).flatMap((rows) => Object.keys(rows));
  expect(letters.length).toBeGreaterThan(300);
});
