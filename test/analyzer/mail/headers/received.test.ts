import { expect, test } from "vitest";
import { createDice } from "../../../../scripts/dice.ts";
import { maxStampLength, parseReceived } from "../../../../src/analyzer/mail/headers/received.ts";
import { receivedSamples } from "./received-samples.ts";

const parse = (line: string) => parseReceived(Buffer.from(line.replaceAll("\n", "\r\n")).toString("latin1"));

test.each(receivedSamples)("the Received header of $server is parsed", ({ line, reads }) => {
  const { at, ...stamp } = parse(` ${line}`);
  const shown = { ...stamp, at: at === null ? null : new Date(at - (at % 1_000)).toISOString() };
  expect(shown).toMatchObject(reads);
});

test.each([
  ["opening brackets", "(".repeat(1_000_000)],
  ["empty comments", "()".repeat(500_000)],
  ["quotes", '"'.repeat(1_000_001)],
  ["words", `from ${"a ".repeat(500_000)}`],
  ["addresses", `from x (${"[192.0.2.1] helo=".repeat(60_000)})`],
  ["a date made of brackets", `by x; ${"(".repeat(1_000_000)}`],
  ["unfinished TLS remarks", `by x with ${"using TLS".repeat(100_000)}`],
  ["folds", "\r\n ".repeat(300_000)],
  ["control bytes", "\0\x1b[2J\xff".repeat(150_000)],
])("only the beginning of a megabyte of %s is parsed", (_, line) => {
  const stamp = parseReceived(line);
  expect(stamp.warnings).toContain("cut");
  expect(JSON.stringify(stamp).length).toBeLessThan(4_000);
});

test("any line gives a limited result that can be stored", () => {
  const dice = createDice(7);
  const pieces = receivedSamples.flatMap(({ line }) => line.split(/(?<=[\s();])/));
  const odd = ["\0", "\ud800", "(", ")", "\\", '"', ";", "from", "by", "with", "[", "]", "<", ">", "\xff", "="];
  for (let round = 0; round < 3_000; round++) {
    const words = Array.from({ length: dice(40) }, () =>
      dice(4) === 0 ? odd[dice(odd.length)] : pieces[dice(pieces.length)],
    );
    const text = JSON.stringify(parseReceived(words.join(dice(2) === 0 ? "" : " ")));
    expect(text.length).toBeLessThan(4_000);
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
  }
});

test("a line just below the limit is parsed completely", () => {
  const date = "; Sat, 21 Nov 2026 10:00:00 +0000";
  const line = `by b.example (${"x".repeat(maxStampLength - 15 - date.length)})${date}`;
  expect(line).toHaveLength(maxStampLength);
  expect(parseReceived(line)).toMatchObject({ by: "b.example", warnings: [] });
  expect(parseReceived(` ${line}`).warnings).toContain("cut");
});
