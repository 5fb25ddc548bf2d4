import { expect, test } from "vitest";
import { toHitRate } from "../../../src/analyzer/placement/calibration.ts";

test("a hit rate needs 20 observations and has a Wilson interval", () => {
  expect(toHitRate(19, 19)).toBeNull();
  expect(toHitRate(20, 20)).toEqual({ value: 1, low: 0.8389, high: 1 });
  expect(toHitRate(16, 20)).toEqual({ value: 0.8, low: 0.584, high: 0.9193 });
  expect(toHitRate(0, 20)).toEqual({ value: 0, low: 0, high: 0.1611 });
});
