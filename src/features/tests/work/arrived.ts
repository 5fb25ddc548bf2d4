// Mail counts once, when it arrives. Not when it is analyzed again, and an upload or a sample didn't arrive.

import type { TestsTable } from "../tables.ts";

/** Senders are learned once per message, and never from samples. */
export function isFirst({ analyzed_at, sample }: Pick<TestsTable, "analyzed_at" | "sample">): boolean {
  return analyzed_at === null && sample === 0;
}
