import { expect, test } from "vitest";
import { shareOfWords } from "../../../../src/analyzer/checks/format/text-part.ts";

test("the similarity of two bodies is measured by the shorter one, in either order", () => {
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
