// Whether the clock is good enough to delete by age. A clock that jumped ahead, as after a dead battery or a restored
// snapshot, would make everything old at once. So after a gap of more than a day, which is also what a server that was
// off looks like, nothing is deleted by age until it has run for another day.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import { readNewestReceivedAt } from "../../tests/rows/removal.ts";

export type ClockState = {
  /** The clock when this was last written. */
  readonly at: number;
  /** The gap that deletion waits after. Null: deletion doesn't wait. */
  readonly gap: { readonly from: number; readonly ranMs: number } | null;
};

const dayMs = 86_400_000;
/** Longer than the time between two runs of the chore that asks. More than this is not time that the server ran. */
const longestRunMs = 2 * 3_600_000;

/** `last`: null before the first time. `newestAt`: when the newest test was received. */
export function judgeClock(last: ClockState | null, newestAt: number | null, now: number): ClockState {
  const before = last?.at ?? newestAt ?? now;
  const gap = last?.gap ?? null;
  // It was set back to where it was.
  if (gap !== null && Math.abs(now - gap.from) <= dayMs) return { at: now, gap: null };
  if (now - before > dayMs) return { at: now, gap: { from: gap?.from ?? before, ranMs: 0 } };
  if (gap === null) return { at: now, gap: null };
  const ranMs = gap.ranMs + Math.min(Math.max(0, now - before), longestRunMs);
  return { at: now, gap: ranMs >= dayMs ? null : { ...gap, ranMs } };
}

/** True if things may be deleted by age. Warns once for each gap. */
export async function mayDeleteByAge(
  { read, write }: Pick<Store, "read" | "write">,
  { now, log }: Pick<System, "now" | "log">,
): Promise<boolean> {
  const last = parseState(await readMeta(read, "clock"));
  const state = judgeClock(last, await readNewestReceivedAt(read), now());
  await write((db) => writeMeta(db, "clock", JSON.stringify(state)));
  const { gap } = state;
  if (gap === null) return true;
  if (gap.ranMs === 0)
    log.warn("nothing is deleted by age until the server has run for a day, because of a gap in time", {
      lastSeen: new Date(gap.from).toISOString(),
      now: new Date(state.at).toISOString(),
    });
  return false;
}

function parseState(text: string | undefined): ClockState | null {
  // Only this file writes it.
  return text === undefined ? null : (parseJsonObject(text) as ClockState | null);
}
