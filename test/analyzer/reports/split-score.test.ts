import { describe, expect, test } from "vitest";
import { splitAmong, toWholeShares } from "../../../src/analyzer/reports/split-score.ts";

/** The score is 100 minus what each cause costs alone. */
const addUp =
  (...costs: readonly number[]) =>
  (mask: number) =>
    100 - costs.reduce((sum, cost, index) => sum + (mask & (1 << index) ? cost : 0), 0);

describe("the split of a score change", () => {
  test("the split of a score change gives each cause its own points if they are independent", () => {
    expect(splitAmong(3, addUp(9, 0, 3)).map(Math.round)).toEqual([-9, 0, -3]);
  });

  test("the split of a score change halves the change that two causes only make together", () => {
    expect(splitAmong(2, (mask) => (mask === 3 ? 80 : 100))).toEqual([-10, -10]);
  });

  test("the split of a score change halves the change that either of two causes makes alone", () => {
    expect(splitAmong(2, (mask) => (mask === 0 ? 100 : 80))).toEqual([-10, -10]);
  });

  test("the split of a score change always adds up to the whole change", () => {
    const scores = [97, 31, 62, 31, 88, 12, 54, 7, 97, 31, 60, 31, 80, 12, 54, 3];
    const sum = splitAmong(4, (mask) => scores[mask] ?? 0).reduce((total, share) => total + share, 0);
    expect(sum).toBeCloseTo(3 - 97);
  });
});

describe("rounding to whole points", () => {
  test("rounding to whole points keeps the sum", () => {
    expect(toWholeShares([-4.5, -4.5, -2.6], -12)).toEqual([-4, -5, -3]);
    expect(toWholeShares([1 / 3, 1 / 3, 1 / 3], 1)).toEqual([1, 0, 0]);
  });

  test("rounding to whole points keeps whole numbers as they are", () => {
    expect(toWholeShares([-9, 0, -3], -12)).toEqual([-9, 0, -3]);
  });
});
