// The whole analysis of signed messages: every verdict with the RFC section that requires it.

import { describe, expect, test } from "vitest";
import { verdictTable } from "./verdict-table.ts";
import { analyzeLetter, toVerdict } from "./verdict-world.ts";

describe.each(Object.entries(verdictTable))("%s", (_, rows) => {
  test.each(Object.entries(rows))("the verdict is right: %s", async (_, [verdict, letter]) => {
    expect(toVerdict(await analyzeLetter(letter))).toBe(verdict);
  });
});

test("the table contains hundreds of different messages", () => {
  const letters = Object.values(verdictTable).flatMap((rows) => Object.keys(rows));
  expect(letters.length).toBeGreaterThan(300);
});
