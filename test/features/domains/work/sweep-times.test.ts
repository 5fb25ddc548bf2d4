import { expect, test } from "vitest";
import {
  hourMs,
  toConfirmation,
  toNextGuess,
  toNextSweep,
  toOwnPlace,
  toPace,
} from "../../../../src/features/domains/work/sweep-times.ts";

const midnight = Date.UTC(2026, 10, 20);

test("the next sweep is at the installation's own minute, within an hour", () => {
  const place = 17 * 60_000;
  expect(toNextSweep(midnight, place)).toBe(midnight + place);
  expect(toNextSweep(midnight + place, place)).toBe(midnight + place + hourMs);
  expect(toNextSweep(midnight + place - 1, place)).toBe(midnight + place);
  expect(toNextSweep(midnight + 59 * 60_000, place)).toBe(midnight + hourMs + place);
});

test("two installations check domains at different, constant minutes of the hour", () => {
  expect(toOwnPlace("one")).toBe(toOwnPlace("one"));
  expect(toOwnPlace("one")).not.toBe(toOwnPlace("other"));
  for (const id of ["one", "other", ""]) expect(toOwnPlace(id)).toBeLessThan(hourMs);
});

test("second checks are spread out, and selector probes are spread over the day", () => {
  expect([0, 0.999].map((dice) => toConfirmation(60_000, dice))).toEqual([60_000, 74_985]);
  expect([0, 0.5].map((dice) => toNextGuess(0, dice))).toEqual([18 * hourMs, 24 * hourMs]);
});

test("a sweep of any number of domains takes at most half an hour", () => {
  expect(toPace(1)).toBe(90);
  expect(toPace(162_000)).toBe(90);
  expect(toPace(1_800_000)).toBe(1_000);
});
