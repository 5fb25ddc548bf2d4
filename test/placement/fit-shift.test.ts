import { describe, expect, test } from "vitest";
import {
  fitShift,
  leaveOneOut,
  type SpamSeen,
  suggestShift,
  toSpamSeen,
  type WeightedPair,
} from "../../src/placement/fit-shift.ts";
import { createRandom, type Random } from "../domains/random.ts";

function times(count: number, logOdds: number, isSpam: boolean): SpamSeen[] {
  return Array.from({ length: count }, () => ({ logOdds, isSpam }));
}

/** As a provider would treat them that is `off` by so much. */
function drawSeen(random: Random, off: number, count = 30): SpamSeen[] {
  return Array.from({ length: count }, () => {
    const logOdds = -4 + 6 * random.next();
    return { logOdds, isSpam: random.next() < 1 / (1 + Math.exp(-(logOdds + off))) };
  });
}

/** What is least, said as it is written in books. */
function lossOf(seen: readonly SpamSeen[], shift: number): number {
  return seen.reduce(
    (sum, { logOdds, isSpam }) => {
      const spam = 1 / (1 + Math.exp(-(logOdds + shift)));
      return sum - Math.log(isSpam ? spam : 1 - spam);
    },
    shift ** 2 / 2,
  );
}

const grid = Array.from({ length: 6_001 }, (_, at) => (at - 3_000) / 1_000);

function searchGrid(seen: readonly SpamSeen[]): number {
  return grid.reduce((best, shift) => (lossOf(seen, shift) < lossOf(seen, best) ? shift : best));
}

describe("the fitted shift", () => {
  test("is where the slope is 0, worked by hand: even odds, 15 of 20 in spam", () => {
    // 20 / (1 + e^-b) − 15 + b = 0 has its root at 0.8768: a share of 0.7062.
    const shift = fitShift([...times(15, 0, true), ...times(5, 0, false)]);
    expect(20 / (1 + Math.exp(-shift)) - 15 + shift).toBeCloseTo(0, 6);
    expect(shift).toBeCloseTo(0.8768, 3);
  });

  test("is 0 where what was seen is what was foretold", () => {
    expect(fitShift([...times(10, 0, true), ...times(10, 0, false)])).toBeCloseTo(0, 6);
  });

  test("is what a search through all shifts finds", () => {
    const random = createRandom(1);
    for (const off of [-4, -1, -0.3, 0, 0.5, 2, 5]) {
      const seen = drawSeen(random, off);
      expect(Math.abs(fitShift(seen) - searchGrid(seen)), `off by ${off}`).toBeLessThanOrEqual(0.001);
    }
  });

  test("is never beyond 3, however many were seen elsewhere", () => {
    expect(fitShift(times(5_000, -6, true))).toBeCloseTo(3, 9);
    expect(fitShift(times(5_000, 6, false))).toBeCloseTo(-3, 9);
  });

  test("is the same in whatever order they come, and the other way round where all is the other way round", () => {
    const random = createRandom(2);
    for (let round = 0; round < 20; round++) {
      const seen = drawSeen(random, 4 * random.next() - 2);
      expect(fitShift(random.shuffle(seen))).toBeCloseTo(fitShift(seen), 9);
      const turned = seen.map(({ logOdds, isSpam }) => ({ logOdds: -logOdds, isSpam: !isSpam }));
      expect(fitShift(turned)).toBeCloseTo(-fitShift(seen), 9);
    }
  });

  test("does not fall when one more was seen in spam, and does not rise when one more was not", () => {
    const random = createRandom(3);
    for (let round = 0; round < 20; round++) {
      const seen = drawSeen(random, 0);
      expect(fitShift([...seen, { logOdds: 1, isSpam: true }])).toBeGreaterThanOrEqual(fitShift(seen));
      expect(fitShift([...seen, { logOdds: 1, isSpam: false }])).toBeLessThanOrEqual(fitShift(seen));
    }
  });

  test("comes close to how far a provider is off when many were seen", () => {
    expect(fitShift(drawSeen(createRandom(4), 0.8, 5_000))).toBeCloseTo(0.8, 1);
  });
});

test("leaving one out is what fitting all others would give, to a hundredth", () => {
  const random = createRandom(5);
  for (const off of [-5, -0.7, 0, 1.2, 5]) {
    const seen = drawSeen(random, off);
    const fast = leaveOneOut(seen, fitShift(seen));
    const slow = seen.map((_, at) => fitShift(seen.filter((_, other) => other !== at)));
    for (const [at, shift] of slow.entries())
      expect(Math.abs((fast[at] ?? 9) - shift), `off by ${off}`).toBeLessThan(0.01);
  }
});

describe("a suggestion", () => {
  const fewer = times(15, -1, true);

  test("is made from 20 observations on, and says how many there are", () => {
    const four = times(4, -1, false);
    expect(suggestShift([...fewer, ...four], 0)).toEqual({
      suggestion: null,
      why: "Not enough data: 19 of 20 observations predicted with the current weights.",
    });
    expect(suggestShift([...fewer, ...four, ...times(1, -1, false)], 0).suggestion).not.toBeNull();
  });

  test.each([
    [true, "All 30 observations were in the spam folder. Observations both in and outside spam are needed."],
    [
      false,
      "All 30 observations were outside the spam folder. Observations both in and outside spam are needed.",
    ],
  ])("takes some in spam and some elsewhere (%s)", (isSpam, why) => {
    expect(suggestShift(times(30, 0, isSpam), 0)).toEqual({ suggestion: null, why });
  });

  test("tells its effect by messages that it was not drawn from", () => {
    const { suggestion } = suggestShift([...times(30, -1, true), ...times(10, -1, false)], 0);
    const before = (30 * 0.731 ** 2 + 10 * 0.269 ** 2) / 40;
    expect(suggestion).toMatchObject({ observations: 40 });
    expect(suggestion?.brier.before).toBeCloseTo(before, 3);
    expect(suggestion?.brier.after).toBeLessThan(before);
    // Nobody who says one and the same of all gets below what is best for all.
    expect(suggestion?.brier.after).toBeGreaterThan(0.25 * 0.75);
  });

  test("is not made where what is in force is as good, and is once that is not", () => {
    const seen = [...times(30, -1, true), ...times(10, -1, false)];
    const { suggestion } = suggestShift(seen, 0);
    if (!suggestion) throw new Error("They suggest something.");
    expect(suggestShift(seen, suggestion.shift).why).toBe("The current shift already fits best.");
    expect(suggestShift(seen, -2).suggestion?.shift).toBe(suggestion.shift);
  });

  test("is not made where it would predict other messages no better", () => {
    const seen = [...times(11, 0, true), ...times(10, 0, false)];
    expect(suggestShift(seen, 0).why).toBe("No shift would have been more accurate than the current one.");
  });

  test("is in hundredths", () => {
    const { suggestion } = suggestShift([...times(30, -1, true), ...times(10, -1, false)], 0);
    expect(Math.round((suggestion?.shift ?? 0.5001) * 100) / 100).toBe(suggestion?.shift);
  });
});

describe("an observation for the fit", () => {
  const pairOf = (odds: Partial<WeightedPair["odds"]>, weights = "1"): WeightedPair => ({
    ...{ folder: "inbox", observed: "spam", weights },
    odds: { inbox: 0, promotions: 0, spam: 0, rejected: 0, ...odds },
  });
  const logOdds = (share: number) => Math.log(share / (1 - share));
  const oneOf = (pair: WeightedPair) => toSpamSeen([pair], "1")[0]?.logOdds ?? Number.NaN;

  test("is the odds of spam among what is not refused", () => {
    expect(toSpamSeen([pairOf({ inbox: 0.8, spam: 0.2 })], "1")).toEqual([
      { logOdds: logOdds(0.2), isSpam: true },
    ]);
    expect(oneOf(pairOf({ inbox: 0.3, spam: 0.1, rejected: 0.6 }))).toBeCloseTo(logOdds(0.25), 9);
  });

  test("is counted from the published weights where a shift was in force", () => {
    expect(oneOf(pairOf({ inbox: 0.8, spam: 0.2 }, "1 gmail+0.40"))).toBeCloseTo(logOdds(0.2) - 0.4, 9);
    expect(oneOf(pairOf({ inbox: 0.8, spam: 0.2 }, "1 gmail-1.05"))).toBeCloseTo(logOdds(0.2) + 1.05, 9);
  });

  test("is none of other weights than today's", () => {
    expect(toSpamSeen([pairOf({ inbox: 1 }, "0"), pairOf({ inbox: 1 }, "10 gmail+0.40")], "1")).toEqual([]);
  });

  test("is never infinite", () => {
    for (const odds of [{ inbox: 1 }, { spam: 1 }, { rejected: 1 }, {}])
      expect(Number.isFinite(oneOf(pairOf(odds)))).toBe(true);
  });
});
