import { expect, test } from "vitest";
import {
  type Labeled,
  learnLine,
  lineBounds,
  measureLine,
  placeAgain,
  unlearned,
  withLearned,
} from "../../../src/analyzer/placement/learned.ts";

/** Spam around -1 and wanted mail around -3: a filter that is stricter than the figure. */
function aStricterFilter(count: number): Labeled[] {
  return Array.from({ length: count }, (_, index) => {
    const isSpam = index % 2 === 0;
    return { isSpam, logOdds: (isSpam ? -1 : -3) + (((index * 7) % 11) - 5) / 4 };
  });
}

const shiftOf = (count: number) => learnLine(aStricterFilter(count)).intercept;

test("a line from twenty messages changes little, and one from four hundred much", () => {
  expect(learnLine([])).toEqual(unlearned);
  expect(shiftOf(20)).toBeLessThan(shiftOf(400) / 2);
  expect(shiftOf(400)).toBeGreaterThan(1);
});

test("a line is measured on messages that it was not learned from, and lowers the Brier score", () => {
  const { before, after } = measureLine(aStricterFilter(400));
  expect(after.brier).toBeLessThan(before.brier / 1.5);
  expect(after.spamInInbox).toBeLessThan(before.spamInInbox);
});

test("a line from random labels does not seem better than it is", () => {
  const labeled = aStricterFilter(400).map((one, index) => ({ ...one, isSpam: (index * 13) % 17 < 8 }));
  const { after } = measureLine(labeled);
  expect(after.brier).toBeGreaterThan(0.24);
});

test.each([
  [
    "all the wrong way around",
    aStricterFilter(2_000).map((one) => ({ ...one, isSpam: !one.isSpam, logOdds: one.logOdds * 9 })),
  ],
  ["without any doubt", aStricterFilter(2_000).map((one) => ({ ...one, logOdds: one.isSpam ? 27 : -27 }))],
  ["all the same", aStricterFilter(2_000).map((one) => ({ ...one, isSpam: true, logOdds: -27 }))],
])("a line from figures that are %s stays within its bounds", (_name, labeled) => {
  const { slope, intercept } = learnLine(labeled);
  expect(slope).toBeGreaterThanOrEqual(lineBounds.slope.min);
  expect(slope).toBeLessThanOrEqual(lineBounds.slope.max);
  expect(Math.abs(intercept)).toBeLessThanOrEqual(lineBounds.intercept.max);
});

test("a line gives its reason, and no line changes nothing at all", () => {
  const spam = { probability: 0.2, reasons: [] };
  expect(withLearned(spam, null)).toBe(spam);
  const basis = { spam: 150, wanted: 250, brierBefore: 0.2, brierAfter: 0.1, at: Date.UTC(2026, 10, 29) };
  const raised = withLearned(spam, { slope: 1, intercept: 2, ...basis });
  expect(raised.probability).toBeCloseTo(0.649, 3);
  expect(raised.reasons).toMatchObject([
    { text: "Your own mail raises this figure: learned from 400 messages on 2026-11-29.", points: 2 },
  ]);
  expect(withLearned(spam, { slope: 1, intercept: -1, ...basis }).reasons[0]?.text).toMatch(/^Your own mail lowers /);
});

test("a line does not move a message that a provider's rule places", () => {
  const odds = { inbox: 0.7, promotions: 0, spam: 0.3, rejected: 0 };
  const strict = { slope: 1, intercept: 3 };
  const predicted = { folder: "inbox", odds, reasons: [] } as const;
  expect(placeAgain(predicted, unlearned, strict)).toBe("spam");
  expect(placeAgain(predicted, strict, strict)).toBe("inbox");
  expect(placeAgain({ ...predicted, reasons: [{ points: null }] }, unlearned, strict)).toBe("inbox");
  const rejected = { folder: "rejected", odds: { ...odds, inbox: 0, rejected: 0.7 }, reasons: [] } as const;
  expect(placeAgain(rejected, unlearned, strict)).toBe("rejected");
});
