import { describe, expect, test } from "vitest";
import { type Pair, toFigures, toHitRate } from "../../src/placement/calibration.ts";
import type { Prediction } from "../../src/placement/provider.ts";
import { createRandom, type Random } from "../domains/random.ts";

const oddsOf = (odds: Partial<Prediction["odds"]>) => ({
  inbox: 0,
  promotions: 0,
  spam: 0,
  rejected: 0,
  ...odds,
});

const likelyInbox = { folder: "inbox", odds: oddsOf({ inbox: 0.8, spam: 0.2 }) } as const;
const refused = { folder: "rejected", odds: oddsOf({ inbox: 0.05, rejected: 0.95 }) } as const;

function times(count: number, pair: Pair): Pair[] {
  return Array.from({ length: count }, () => pair);
}

describe("the figures of a provider", () => {
  test("are none below 20 observations, and there from the twentieth on", () => {
    const pair: Pair = { ...likelyInbox, observed: "inbox" };
    const none = { confusion: null, hitRate: null, brier: null, reliability: null };
    expect(toFigures([])).toEqual({ observations: 0, ...none });
    expect(toFigures(times(19, pair))).toEqual({ observations: 19, ...none });
    expect(toFigures(times(20, pair))).toMatchObject({ observations: 20, hitRate: { value: 1, high: 1 } });
  });

  test("are these where 1 in 5 was to be spam and 4 of 20 were", () => {
    const figures = toFigures([
      ...times(16, { ...likelyInbox, observed: "inbox" }),
      ...times(4, { ...likelyInbox, observed: "spam" }),
    ]);
    // By hand: of spam (16 × 0.2² + 4 × 0.8²) / 20, of all folders twice that; who says 1 in 5 always says the same.
    expect(figures.brier).toEqual({
      folders: { value: 0.32, baseRate: 0.32 },
      spam: { value: 0.16, baseRate: 0.16 },
    });
    expect(figures.hitRate).toEqual({ value: 0.8, low: 0.584, high: 0.9193 });
    expect(figures.confusion).toEqual({
      inbox: { inbox: 16, promotions: 0, spam: 4 },
      promotions: { inbox: 0, promotions: 0, spam: 0 },
      spam: { inbox: 0, promotions: 0, spam: 0 },
      rejected: { inbox: 0, promotions: 0, spam: 0 },
    });
    expect(figures.reliability?.filter(({ count }) => count > 0)).toEqual([
      { from: 0.2, to: 0.3, count: 20, predicted: 0.2, observed: 0.2 },
    ]);
  });

  test("tell a prediction that is worse than none: its score is above that of the base rate", () => {
    const sure = { folder: "spam", odds: oddsOf({ inbox: 0.1, spam: 0.9 }) } as const;
    const { brier } = toFigures([
      ...times(18, { ...sure, observed: "inbox" }),
      ...times(2, { ...sure, observed: "spam" }),
    ]);
    // (18 × 0.81 + 2 × 0.01) / 20, against 0.1 × 0.9.
    expect(brier?.spam).toEqual({ value: 0.73, baseRate: 0.09 });
  });

  test("count a predicted refusal of a message that was seen as a prediction of spam", () => {
    const figures = toFigures([
      ...times(15, { ...refused, observed: "spam" }),
      ...times(5, { ...refused, observed: "inbox" }),
    ]);
    expect(figures.hitRate?.value).toBe(0.75);
    expect(figures.confusion?.rejected).toEqual({ inbox: 5, promotions: 0, spam: 15 });
    expect(figures.brier?.spam.value).toBe(0.2275);
    expect(figures.reliability?.at(-1)).toEqual({
      from: 0.9,
      to: 1,
      count: 20,
      predicted: 0.95,
      observed: 0.75,
    });
  });

  test("tell the tabs of an inbox apart", () => {
    const tab = { folder: "promotions", odds: oddsOf({ promotions: 0.7, inbox: 0.2, spam: 0.1 }) } as const;
    const { hitRate, brier } = toFigures([
      ...times(10, { ...tab, observed: "promotions" }),
      ...times(10, { ...tab, observed: "inbox" }),
    ]);
    expect(hitRate?.value).toBe(0.5);
    // (10 × (0.3² + 0.2² + 0.1²) + 10 × (0.7² + 0.8² + 0.1²)) / 20, against 1 − 2 × 0.5².
    expect(brier?.folders).toEqual({ value: 0.64, baseRate: 0.5 });
  });

  test("say nothing of a bin of the odds with fewer than 20", () => {
    const rare: Pair = { folder: "spam", odds: oddsOf({ inbox: 0.4, spam: 0.6 }), observed: "spam" };
    const { reliability } = toFigures([
      ...times(20, { ...likelyInbox, observed: "inbox" }),
      ...times(19, rare),
    ]);
    expect(reliability?.[2]).toMatchObject({ count: 20, observed: 0 });
    expect(reliability?.[6]).toMatchObject({ count: 19, predicted: null, observed: null });
  });

  test("sort odds at the edge of two bins into the upper one, and certainty into the last", () => {
    const at = (spam: number) =>
      toFigures(
        times(20, { folder: "spam", odds: oddsOf({ spam, inbox: 1 - spam }), observed: "spam" }),
      ).reliability?.findIndex(({ count }) => count === 20);
    expect([0, 0.099, 0.1, 0.29, 0.3, 0.7, 0.999, 1].map(at)).toEqual([0, 0, 1, 2, 3, 7, 9, 9]);
  });
});

test("the interval of a hit rate is Wilson's, stays within 0 and 1, and is never of no width", () => {
  expect(toHitRate(0, 20)).toEqual({ value: 0, low: 0, high: 0.1611 });
  expect(toHitRate(20, 20)).toEqual({ value: 1, low: 0.8389, high: 1 });
  expect(toHitRate(500, 1_000)).toEqual({ value: 0.5, low: 0.4691, high: 0.5309 });
});

test("the order of the observations changes no figure, and all stay within their bounds", () => {
  const random = createRandom(7);
  for (let round = 0; round < 50; round++) {
    const pairs = Array.from({ length: 20 + Math.floor(random.next() * 200) }, () => toRandomPair(random));
    const figures = toFigures(pairs);
    expect(toFigures(random.shuffle(pairs))).toEqual(figures);
    const { hitRate, brier, reliability, confusion } = figures;
    if (!hitRate || !brier || !reliability || !confusion) throw new Error("There are enough of them.");
    expect(hitRate.low).toBeLessThanOrEqual(hitRate.value);
    expect(hitRate.high).toBeGreaterThanOrEqual(hitRate.value);
    expect(brier.spam.value).toBeLessThanOrEqual(1);
    expect(brier.folders.value).toBeLessThanOrEqual(2);
    const counts = Object.values(confusion).flatMap((row) => Object.values(row));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(pairs.length);
    expect(reliability.reduce((sum, { count }) => sum + count, 0)).toBe(pairs.length);
  }
});

function toRandomPair(random: Random): Pair {
  const spam = Math.floor(random.next() * 1_001) / 1_000;
  const folders = ["inbox", "promotions", "spam", "rejected"] as const;
  return {
    folder: random.pick(folders),
    odds: oddsOf({ spam, inbox: 1 - spam }),
    observed: random.pick(["inbox", "promotions", "spam"] as const),
  };
}
