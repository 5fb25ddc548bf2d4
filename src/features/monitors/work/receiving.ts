// When this installation could not receive mail. Each process notes every minute that it can, and the first note after a
// gap writes down the gap. Without this, every window that ended while the server was off would raise an alert.

import { lockName, readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Outage } from "../rules/expected.ts";

/** `aliveAt`: the last time at which it could receive. */
type Receiving = { readonly aliveAt: number; readonly outages: readonly Outage[] };

export const noteEveryMs = 60_000;
/** Far above the time between two notes, so that a slow moment isn't an outage. */
const gapMs = 3 * noteEveryMs;
const keptMs = 14 * 86_400_000;
const mostKept = 50;

export async function noteReceiving(db: Db, now: number): Promise<readonly Outage[]> {
  await lockName(db, "receiving");
  const text = await readMeta(db, "receiving");
  const { aliveAt, outages }: Receiving =
    text === undefined ? { aliveAt: now, outages: [] } : (JSON.parse(text) as Receiving);
  // A later time was written before the clock was set back.
  const isFresh = text !== undefined && aliveAt <= now && now - aliveAt < noteEveryMs;
  if (isFresh) return outages;
  const gap = now - aliveAt > gapMs ? [{ from: aliveAt, to: now }] : [];
  const kept = [...outages, ...gap].filter(({ to }) => to > now - keptMs).slice(-mostKept);
  await writeMeta(db, "receiving", JSON.stringify({ aliveAt: now, outages: kept } satisfies Receiving));
  return kept;
}
