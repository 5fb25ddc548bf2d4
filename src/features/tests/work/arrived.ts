// Mail counts once, when it arrives. Not when it is analyzed again, and an upload or a sample didn't arrive.

import { hasArrived } from "../../intake/work/receive-message.ts";
import type { TestsTable } from "../tables.ts";

/** Senders are learned once per message, and never from samples. */
export function isFirst({ analyzed_at, sample }: Pick<TestsTable, "analyzed_at" | "sample">): boolean {
  return analyzed_at === null && sample === 0;
}

/** Something may wait for it. A canary is only for its monitor. */
export function isArrival(test: TestsTable): boolean {
  return isFirst(test) && hasArrived(test) && test.became !== "canary";
}
