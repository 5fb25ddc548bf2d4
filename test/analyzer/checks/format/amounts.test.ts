import { expect, test } from "vitest";
import { toCount } from "../../../../src/analyzer/checks/format/amounts.ts";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [102_000, "102,000"],
  [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
])("the amount %d is shown as %s", (count, shown) => {
  expect(toCount(count)).toBe(shown);
});
