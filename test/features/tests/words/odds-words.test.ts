import { expect, test } from "vitest";
import { toOddsPercents } from "../../../../src/features/tests/words/odds-words.ts";

type Shares = Partial<Parameters<typeof toOddsPercents>[0]>;

test.each<[string, Shares, Record<string, number>]>([
  ["rounded up twice", { inbox: 0.985, spam: 0.015 }, { inbox: 98, spam: 2 }],
  ["rounded down twice", { inbox: 0.334, promotions: 0.333, spam: 0.333 }, { inbox: 34, promotions: 33, spam: 33 }],
  ["just large enough to be shown", { inbox: 0.994, spam: 0.006 }, { inbox: 99, spam: 1 }],
  ["too small to be shown", { inbox: 0.9, spam: 0.097, rejected: 0.003 }, { inbox: 90, spam: 10 }],
  ["almost certain", { inbox: 0.999, spam: 0.001 }, { inbox: 99, spam: 1 }],
  ["certain", { rejected: 1 }, { rejected: 100 }],
])("odds that are %s are shown as whole percentages that add up to 100", (_, shares, shown) => {
  const percents = toOddsPercents({ inbox: 0, promotions: 0, spam: 0, rejected: 0, ...shares });
  expect(Object.fromEntries(percents)).toEqual(shown);
});

test("the shown odds always add up to 100, and none of them is 0", () => {
  for (let at = 0; at < 500; at++) {
    const parts = [1, 2, 3, 5].map((step) => Math.abs(Math.sin(at * step + step)) ** 4);
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const [inbox = 0, promotions = 0, spam = 0, rejected = 0] = parts.map((part) => part / whole);
    const percents = [...toOddsPercents({ inbox, promotions, spam, rejected }).values()];
    expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
    expect(Math.min(...percents)).toBeGreaterThan(0);
  }
});
