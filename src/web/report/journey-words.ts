// The title of a report's journey: how long the message took, and where.

import type { DeliveryTimeline } from "../../features/tests/contract/timeline.ts";
import { toDuration, toPlural } from "../client/words.ts";

export const slowMs = 10_000;
/** A longer total means a delay somewhere, even if no hop shows it. */
const longMs = 300_000;

export function toJourneyTitle(timeline: DeliveryTimeline): string {
  return `Journey: ${toConclusion(timeline)}`;
}

function toConclusion({ total_ms, hops }: DeliveryTimeline): string {
  const count = toPlural(hops.length, "hop", "hops");
  if (total_ms === null) return count;
  const arrived = `arrived ${toDuration(total_ms)} after it was written`;
  const slow = hops.filter(({ delay_ms }) => (delay_ms ?? 0) > slowMs).length;
  if (slow > 0) return `${arrived}, ${toPlural(slow, "slow hop", "slow hops")}`;
  if (total_ms <= longMs) return `${arrived}, no delays`;
  // The total begins at the Date header. What no hop accounts for passed before the first server had the message.
  const delays = hops.slice(1).map(({ delay_ms }) => delay_ms);
  const unexplained = total_ms - delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0);
  return unexplained > total_ms / 2 && !delays.includes(null)
    ? `${arrived}, most of it before the first server`
    : `${arrived}, no slow hops`;
}
