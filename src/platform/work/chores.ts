// Recurring work of the installation. Chores are claimed in the database, so only one process runs each of them and
// another takes over if it dies. Due times are stored too, so chores missed during downtime run at startup.

import type { ChoresTable } from "../database/schema.ts";
import type { Store } from "../database/store.ts";
import { messageOf } from "../errors.ts";
import type { System } from "../system/system.ts";
import { claimChores, ensureChore, finishChore } from "./chore-claims.ts";
import { createServeRow, type ServeRow } from "./serve-row.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "./work-loop.ts";

/**
 * When stopped, `run` may end early by throwing the signal's reason. The chore keeps its due time. It serves its rows
 * through `serve`.
 */
export type Chore = {
  readonly id: string;
  readonly everyMs: number;
  readonly run: (stopping: AbortSignal, serve: ServeRow) => Promise<void>;
  /** True if it ended early to let others run. It is due again at once. */
  readonly hasMore?: () => Promise<boolean>;
};

type ChoreRunner = { readonly start: () => Promise<void>; readonly stop: (withinMs: number) => Promise<void> };

type ChoreOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log">;
  readonly owner: string;
  readonly chores: readonly Chore[];
};

/** A chore that takes longer may run twice, so every chore must be safe to repeat. */
const leaseMs = 300_000;

/** Chores run one after another within the poll. None of them is urgent. */
export function createChoreRunner(options: ChoreOptions): ChoreRunner {
  const { store, system, chores } = options;
  const words = { trouble: "a chore failed", over: "chores are working again" };
  // One each, so that many failing rows of one chore don't keep those of another out of the log.
  const serves = new Map(chores.map((chore) => [chore, createServeRow(system, words.trouble, { chore: chore.id })]));
  const loop: WorkLoop = createWorkLoop({
    poll: () => runDue(options, serves, loop),
    every: everyMinute,
    system,
    words,
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

async function runDue(options: ChoreOptions, serves: ReadonlyMap<Chore, ServeRow>, loop: WorkLoop): Promise<void> {
  const { store, system, owner, chores } = options;
  const only = chores.map(({ id }) => id);
  const terms = { now: system.now(), owner, leaseMs, limit: chores.length, only };
  const due = await store.write((db) => claimChores(db, terms));
  for (const row of due) {
    const chore = chores.find(({ id }) => id === row.id);
    const serve = chore && serves.get(chore);
    if (serve) await loop.serve(row.id, () => runClaimed(chore, row, options, { ...loop, serve }));
  }
}

async function runClaimed(
  chore: Chore,
  row: ChoresTable,
  { store, system }: ChoreOptions,
  { stopping, serve }: WorkLoop,
): Promise<void> {
  const startedAt = system.now();
  let [wasStopped, hasMore] = [false, false];
  const run = async () => {
    await chore.run(stopping, serve);
    hasMore = (await chore.hasMore?.()) === true;
  };
  const error = await run().then(
    () => null,
    (thrown) => {
      wasStopped = stopping.aborted && thrown === stopping.reason;
      return wasStopped ? null : messageOf(thrown);
    },
  );
  const now = system.now();
  const dueAt = wasStopped ? (row.due_at ?? now) : now + (hasMore ? 0 : chore.everyMs);
  await store.write((db) => finishChore(db, row, { now, dueAt, error }));
  const fields = { chore: chore.id, due: toTime(row.due_at), durationMs: now - startedAt };
  if (error === null) system.log.debug(wasStopped ? "chore stopped" : "chore done", fields);
  else if (error !== row.last_error) system.log.error("chore failed", { ...fields, problem: error });
}

function toTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
