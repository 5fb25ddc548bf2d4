import { expect, test } from "vitest";
import { createDice, type Dice } from "../../../../scripts/dice.ts";
import { createKeptWords, type KeptWords } from "../../../../src/platform/database/search/kept-words.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function hold(kept: KeptWords, row: string, ...words: string[]): boolean | undefined {
  return kept.hold(row, 0, row.length, words.map(encode));
}

function throwRow(dice: Dice): string {
  const digits = Array.from({ length: 1 + dice(19) }, () => dice(10)).join("");
  const row = BigInt(digits) % 2n ** 63n;
  return `${row}`;
}

test("rows are found by the words they were stored with, whatever their numbers", () => {
  const dice = createDice(3);
  const kept = createKeptWords({ bytes: 1_000_000, rows: 5_000 });
  const words = ["order", "über", "注文", "🎉", "a", "rd", "𝓕ree"];
  const known = new Map<string, string>();
  const neighbours = ["0", "1", "4294967296", "4294967297", `${2n ** 63n - 1n}`, `${2n ** 62n}`, "10", "100"];
  for (const row of [...neighbours, ...Array.from({ length: 3_000 }, () => throwRow(dice))]) {
    const text = Array.from({ length: dice(5) }, () => words[dice(words.length)]).join(" ");
    if (known.has(row)) continue;
    expect(hold(kept, row, "order")).toBeUndefined();
    expect(kept.keep(row, text)).toBe(true);
    known.set(row, text);
  }
  for (const [row, text] of known) {
    for (const word of words) expect(hold(kept, row, word)).toBe(text.includes(word));
    expect(hold(kept, row, "order", "a")).toBe(text.includes("order") && text.includes("a"));
    expect(hold(kept, row)).toBe(true);
  }
});

test("a row number is read from its position in a text", () => {
  const kept = createKeptWords({ bytes: 1_000, rows: 10 });
  kept.keep("1234567890123", "here");
  expect(kept.hold("77 1234567890123 5", 3, 16, [encode("here")])).toBe(true);
  expect(kept.hold("77 1234567890123 5", 0, 2, [encode("here")])).toBeUndefined();
});

test("a word is not found across two rows", () => {
  const kept = createKeptWords({ bytes: 1_000, rows: 10 });
  kept.keep("1", "or");
  kept.keep("2", "der");
  expect([hold(kept, "1", "order"), hold(kept, "2", "order")]).toEqual([false, false]);
});

test.each([
  ["rows", { bytes: 10_000, rows: 3 }, 3],
  ["bytes", { bytes: 64, rows: 100 }, 4],
])("the cache is limited in %s and emptied when it is full", (_, bounds, most) => {
  const kept = createKeptWords(bounds);
  const keepAll = () => Array.from({ length: 10 }, (_, row) => kept.keep(`${row}`, "four words"));
  expect(keepAll().filter(Boolean)).toHaveLength(most);
  expect(hold(kept, "0", "four")).toBe(true);
  expect(hold(kept, "9", "four")).toBeUndefined();
  kept.forgetAll();
  expect(hold(kept, "0", "four")).toBeUndefined();
  expect(kept.keep("9", "four words")).toBe(true);
  expect(hold(kept, "9", "four")).toBe(true);
});

test("a sender's very long subject is not cached", () => {
  const kept = createKeptWords({ bytes: 10_000, rows: 10 });
  expect(kept.keep("1", "x".repeat(100_000))).toBe(true);
  expect(hold(kept, "1", "x")).toBeUndefined();
});
