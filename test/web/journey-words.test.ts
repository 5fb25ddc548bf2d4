// What the title of a delivery path says about the time that a message took.

import { expect, test } from "vitest";
import type { DeliveryTimeline } from "../../src/features/tests/contract/timeline.ts";
import { toJourneyTitle } from "../../src/web/report/journey-words.ts";

const minute = 60_000;

test.each<[string, number | null, (number | null)[], string]>([
  ["the hops without a session", null, [null, 10], "Journey: 2 hops"],
  ["an immediate delivery", 40, [null, 10], "Journey: arrived 40 ms after it was written, no delays"],
  ["a slow hop", 12 * minute, [null, 11 * minute], "Journey: arrived 12 min after it was written, 1 slow hop"],
  [
    "a queue before the first server",
    48 * minute,
    [null, 10],
    "Journey: arrived 48 min after it was written, most of it before the first server",
  ],
  [
    "a single hop",
    48 * minute,
    [null],
    "Journey: arrived 48 min after it was written, most of it before the first server",
  ],
  [
    "a hop of unknown duration",
    48 * minute,
    [null, null],
    "Journey: arrived 48 min after it was written, no slow hops",
  ],
])("the title of the delivery path names %s", (_, total_ms, delays, title) => {
  const hops = delays.map((delay_ms) => ({ delay_ms }));
  expect(toJourneyTitle({ total_ms, hops } as unknown as DeliveryTimeline)).toBe(title);
});
