// Retention: deletes the oldest tests of all workspaces by age and size. Small steps with pauses keep writes fast. A
// step is limited in rows and in bytes, because one message may be as large as ten thousand others. The excess is
// computed once and counted down. It is not read again from the database size, which on PostgreSQL does not shrink
// after deletions, so that all tests would be deleted.

import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../../platform/database/store.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type ServeRow, serveTogether } from "../../../platform/work/serve-row.ts";
import { sumObjectBytes } from "../../tests/rows/objects.ts";
import { listOldTests, type OldTest, removeOldTests, sumTestBytes } from "../../tests/rows/removal.ts";
import { deletionStep } from "../../tests/work/remove-tests.ts";

export type Pruned = { readonly why: "age" | "size"; readonly tests: number; readonly bytes: number };

export type PruneOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log">;
  /** Ends the work between two steps by throwing its reason. */
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
  /** Called after each step. */
  readonly onPruned: (step: Pruned) => void;
};

const pauseMs = 10;
const dayMs = 86_400_000;
/** Share of the limit deleted in addition, so that the next message does not trigger another run. */
const margin = 0.05;

export async function pruneByAge(options: PruneOptions, retentionDays: number): Promise<void> {
  if (retentionDays === 0) return;
  const before = beginningAt("test", options.system.now() - retentionDays * dayMs);
  await removeOldest(options, { why: "age", before, bytes: Number.POSITIVE_INFINITY });
}

export async function pruneBySize(options: PruneOptions, maxBytes: number): Promise<void> {
  const { store, system, stopping } = options;
  const outside = await sumObjectBytes(store.readInWorker);
  if ((await store.readTakenBytes()) + outside <= maxBytes) return;
  // First frees space without deleting tests.
  await store.sqlite?.tidy(stopping);
  if ((await store.readTakenBytes()) + outside <= maxBytes) return;
  const used = store.sqlite
    ? (await store.sqlite.readUsedBytes()) + outside
    : await sumTestBytes(store.readInWorker, stopping);
  const excess = used - Math.floor(maxBytes * (1 - margin));
  if (excess <= 0) return;
  const removed = await removeOldest(options, { why: "size", before: null, bytes: excess });
  await store.sqlite?.tidy(stopping);
  if (removed < excess)
    system.log.warn("database exceeds its size limit and has no more tests to delete", {
      usedBytes: used - removed,
      maxBytes,
    });
}

type Goal = Pick<Pruned, "why" | "bytes"> & { readonly before: string | null };

/** Deletes until `bytes` are freed or nothing is left. Returns the freed bytes. */
async function removeOldest(
  { store, system, stopping, serve, onPruned }: PruneOptions,
  { why, bytes: goal, before }: Goal,
): Promise<number> {
  let tests = 0;
  let bytes = 0;
  for (let after = ""; bytes < goal && !stopping.aborted; ) {
    const oldest = await listOldTests(store.readInWorker, { after, before, limit: deletionStep.tests });
    const chosen = takeStep(oldest, Math.min(deletionStep.bytes, goal - bytes));
    const last = chosen.at(-1);
    if (last === undefined) break;
    const ids = chosen.map(({ id }) => id);
    const gone = new Set(await serveTogether(serve, ids, (some) => store.write((db) => removeOldTests(db, some))));
    const size = sumOf(chosen.filter(({ id }) => gone.has(id)));
    onPruned({ why, tests: gone.size, bytes: size });
    tests += gone.size;
    bytes += size;
    after = last.id;
    await sleep(pauseMs);
  }
  if (tests > 0) system.log.info("old tests removed", { why, tests, bytes });
  stopping.throwIfAborted();
  return bytes;
}

/** Takes tests up to `bytes` in total. A larger test goes alone. */
function takeStep(oldest: readonly OldTest[], bytes: number): readonly OldTest[] {
  let sum = 0;
  const beyond = oldest.findIndex((test, index) => {
    const isFull = index > 0 && (sum >= bytes || sum + test.bytes > deletionStep.bytes);
    sum += test.bytes;
    return isFull;
  });
  return beyond < 0 ? oldest : oldest.slice(0, beyond);
}

function sumOf(tests: readonly OldTest[]): number {
  return tests.reduce((sum, { bytes }) => sum + bytes, 0);
}
