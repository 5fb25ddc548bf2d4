import { expect, test } from "vitest";
import { toRates } from "../../../src/analyzer/reports/contribution.ts";

test("a rejection counts as spam, and the rates add up to 1", () => {
  const folders = ["inbox", "promotions", "spam", "rejected", "inbox"] as const;
  expect(toRates(folders.map((folder) => ({ folder })))).toEqual({ inbox_rate: 0.4, spam_rate: 0.4, promo_rate: 0.2 });
});

test("there are no rates without placements", () => {
  expect(toRates([])).toEqual({ inbox_rate: null, spam_rate: null, promo_rate: null });
});
