import { expect, test } from "vitest";
import { shareOfWords } from "../../../../src/analyzer/checks/format/text-part.ts";

test("two bodies share what the shorter one has of the other, whichever is the shorter", () => {
  const long = Array.from({ length: 200 }, (_, number) => `word${number}`);
  const short = [...long.slice(0, 10), ..."of its own".split(" "), "word0"];
  for (const [one, other] of [
    [long, short],
    [short, long],
  ] as const)
    expect(shareOfWords(one, other, 1)).toBeCloseTo(10 / 13);
  expect(shareOfWords(short, long, 0.3)).toBeGreaterThanOrEqual(0.3);
  expect([shareOfWords([], long, 0.3), shareOfWords(long, [], 0.3)]).toEqual([0, 0]);
});
