// Removes what providers reported once it is as old as messages may be, and the keys that recognize repetitions.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { removeReportedBefore, removeVolumesBefore } from "../rows/feedback.ts";
import { forgetEvents } from "../rows/hooks.ts";

type Terms = {
  readonly store: Pick<Store, "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
};

const dayMs = 86_400_000;
/** Longer than any provider retries, and than the oldest signature that is accepted. */
const keysKeptMs = 4 * dayMs;
const step = 500;
const pauseMs = 10;

/** `retentionDays` 0: reports are kept. */
export async function tidyHooks({ store, system, stopping }: Terms, retentionDays: number): Promise<void> {
  const now = system.now();
  const inSteps = async (remove: (db: Db) => Promise<number>) => {
    while ((await store.write(remove)) === step) {
      await sleep(pauseMs);
      stopping.throwIfAborted();
    }
  };
  await inSteps((db) => forgetEvents(db, now - keysKeptMs, step));
  if (retentionDays === 0) return;
  const before = now - retentionDays * dayMs;
  await inSteps((db) => removeReportedBefore(db, beginningAt("bounce", before), step));
  await store.write((db) => removeVolumesBefore(db, before - dayMs));
}
