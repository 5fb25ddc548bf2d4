import { expect, test } from "vitest";
import type { Placement } from "../../../src/analyzer/placement/provider.ts";
import { toRates } from "../../../src/analyzer/reports/contribution.ts";
import { toPlaced, toPredicted } from "../../../src/analyzer/reports/observation.ts";

test("a rejection counts as spam, and the rates add up to 1", () => {
  const folders = ["inbox", "promotions", "spam", "rejected", "inbox"] as const;
  expect(toRates(folders.map((folder) => ({ folder })))).toEqual({ inbox_rate: 0.4, spam_rate: 0.4, promo_rate: 0.2 });
});

test("a prediction between inbox and spam counts as neither, until a mailbox shows the folder", () => {
  const at = (provider: string, folder: string, spam: number) => ({ provider, folder, odds: { rejected: 0, spam } });
  const predictions = [at("gmail", "inbox", 0.45), at("yahoo", "spam", 0.9)];
  const predicted = toPredicted({ predictions } as unknown as Placement);
  expect(toRates(predicted)).toEqual({ inbox_rate: 0, spam_rate: 0.5, promo_rate: 0 });
  const seen = toPlaced(predicted, [{ provider: "gmail", folder: "inbox" }]);
  expect(toRates(seen)).toEqual({ inbox_rate: 0.5, spam_rate: 0.5, promo_rate: 0 });
});

test("there are no rates without placements", () => {
  expect(toRates([])).toEqual({ inbox_rate: null, spam_rate: null, promo_rate: null });
});
