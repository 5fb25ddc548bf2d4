// Recurring work of the installation: claimed in the database, so that of several processes one does it, and another does it
// again when that one dies. What is due is kept there too: a chore that was missed while nothing ran is done at start.

import { messageOf } from "../errors.ts";
import { claimChores, ensureChore, finishChore } from "../store/chores.ts";
import type { ChoresTable } from "../store/schema/schema.ts";
import type { Store } from "../store/store.ts";
import type { System } from "../system/system.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "./work-loop.ts";

/** `run` may end early when it is told to stop, by throwing the signal's reason: then it is due as it was. */
export type Chore = {
  readonly id: string;
  readonly everyMs: number;
  readonly run: (stopping: AbortSignal) => Promise<void>;
  /** Whether it stopped before its end, so that others get their turn: then it is due at once. */
  readonly hasMore?: () => Promise<boolean>;
};

type ChoreRunner = {
  readonly start: () => Promise<void>;
  readonly stop: (withinMs: number) => Promise<void>;
};

type ChoreOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log">;
  readonly owner: string;
  readonly chores: readonly Chore[];
};

/** A chore that takes longer is done a second time elsewhere: chores bear that. */
const leaseMs = 300_000;

/** One chore after the other, within the look: nobody waits for them. */
export function createChoreRunner(options: ChoreOptions): ChoreRunner {
  const { store, system, chores } = options;
  const loop: WorkLoop = createWorkLoop({
    look: () => runDue(options, loop.stopping),
    every: everyMinute,
    log: system.log,
    words: { trouble: "chores could not be looked up", over: "chores can be looked up again" },
  });
  return {
    start: async () => {
      await store.write(async (db) => {
        for (const { id } of chores) await ensureChore(db, id, system.now());
      });
      loop.start();
    },
    stop: loop.stop,
  };
}

async function runDue(options: ChoreOptions, stopping: AbortSignal): Promise<void> {
  const { store, system, owner, chores } = options;
  const only = chores.map(({ id }) => id);
  const terms = { now: system.now(), owner, leaseMs, limit: chores.length, only };
  const due = await store.write((db) => claimChores(db, terms));
  for (const row of due) {
    const chore = chores.find(({ id }) => id === row.id);
    if (chore) await runClaimed(chore, row, options, stopping);
  }
}

async function runClaimed(
  chore: Chore,
  row: ChoresTable,
  { store, system }: ChoreOptions,
  stopping: AbortSignal,
): Promise<void> {
  const startedAt = system.now();
  let wasStopped = false;
  const error = await chore.run(stopping).then(
    () => null,
    (thrown) => {
      wasStopped = stopping.aborted && thrown === stopping.reason;
      return wasStopped ? null : messageOf(thrown);
    },
  );
  const hasMore = error === null && !wasStopped && (await chore.hasMore?.()) === true;
  const now = system.now();
  const dueAt = wasStopped ? (row.due_at ?? now) : now + (hasMore ? 0 : chore.everyMs);
  await store.write((db) => finishChore(db, row, { now, dueAt, error }));
  const fields = { chore: chore.id, due: toTime(row.due_at), durationMs: now - startedAt };
  if (error === null) system.log.debug(wasStopped ? "chore stopped" : "chore done", fields);
  else system.log.error("chore failed", { ...fields, problem: error });
}

function toTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
