// Retention: the oldest tests of all workspaces go, by age and by size. In small steps with a pause between them, so that
// no write waits long behind a deletion: a step is bounded in rows, and in bytes, because one message may weigh as much
// as ten thousand others. How much is to go is reckoned once and counted down by what the tests took; it is not read
// again from the size of the database, which on PostgreSQL does not fall by deletion, and where all would go.

import { setTimeout as sleep } from "node:timers/promises";
import { beginningAt } from "../../ids.ts";
import type { Store } from "../../store/store.ts";
import { listOldTests, type OldTest, removeOldTests, sumTestBytes } from "../../store/tests/removal.ts";
import type { System } from "../../system/system.ts";
import { deletionStep } from "../removal/remove-tests.ts";

export type Pruned = { readonly why: "age" | "size"; readonly tests: number; readonly bytes: number };

export type PruneOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log">;
  /** Ends the work between two steps; its reason is thrown then. */
  readonly stopping: AbortSignal;
  /** Told of each step. */
  readonly onPruned: (step: Pruned) => void;
};

const pauseMs = 10;
const dayMs = 86_400_000;
/** Of the bound: so much more goes than must, so that not every message makes another one go. */
const margin = 0.05;

export async function pruneByAge(options: PruneOptions, retentionDays: number): Promise<void> {
  if (retentionDays === 0) return;
  const before = beginningAt("test", options.system.now() - retentionDays * dayMs);
  await removeOldest(options, { why: "age", before, bytes: Number.POSITIVE_INFINITY });
}

export async function pruneBySize(options: PruneOptions, maxBytes: number): Promise<void> {
  const { store, system, stopping } = options;
  if ((await store.readTakenBytes()) <= maxBytes) return;
  // What is given back without losing a test goes first.
  await store.sqlite?.tidy(stopping);
  if ((await store.readTakenBytes()) <= maxBytes) return;
  const used = store.sqlite
    ? await store.sqlite.readUsedBytes()
    : await sumTestBytes(store.readInWorker, stopping);
  const excess = used - Math.floor(maxBytes * (1 - margin));
  if (excess <= 0) return;
  const removed = await removeOldest(options, { why: "size", before: null, bytes: excess });
  await store.sqlite?.tidy(stopping);
  if (removed < excess)
    system.log.warn("the database is larger than it may be, and holds nothing more that may go", {
      usedBytes: used - removed,
      maxBytes,
    });
}

type Goal = Pick<Pruned, "why" | "bytes"> & { readonly before: string | null };

/** Until so many bytes have gone, or nothing is left that may go. Answers how many went. */
async function removeOldest(
  { store, system, stopping, onPruned }: PruneOptions,
  { why, bytes: goal, before }: Goal,
): Promise<number> {
  let tests = 0;
  let bytes = 0;
  for (let after = ""; bytes < goal && !stopping.aborted; ) {
    const oldest = await listOldTests(store.readInWorker, { after, before, limit: deletionStep.tests });
    const chosen = takeStep(oldest, Math.min(deletionStep.bytes, goal - bytes));
    const last = chosen.at(-1);
    if (last === undefined) break;
    const gone = new Set(
      await store.write((db) =>
        removeOldTests(
          db,
          chosen.map(({ id }) => id),
        ),
      ),
    );
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

/** As many as have `bytes` together; one that has more goes alone. */
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
