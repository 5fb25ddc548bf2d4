// When SQLite's log is moved into the file: by another thread, so that no sender waits while megabytes are copied and
// flushed. What was written meanwhile, which is little, the writer moves itself, because the log begins anew only where
// nothing of it is left to move.

import { setImmediate as nextRound } from "node:timers/promises";
import type { SqliteDatabase } from "./sqlite-database.ts";

/** In pages, of all of the log and of what the file holds already. */
type LogState = { readonly log: number; readonly checkpointed: number };

/** 16 MB: to move flushes the file, so not too often. */
export const longLog = 4_000;
/** A look costs little, but as much as a small message's share of a commit. */
export const commitsToLook = 8;

/** Answers what is to be done between a commit and the next transaction. `moveAside` moves what it finds, in another thread. */
export function createLogUpkeep(
  database: Pick<SqliteDatabase, "all">,
  moveAside: () => Promise<void>,
): () => Promise<void> {
  /** Where it could not begin anew, because somebody reads it or the thread failed: tried again when as much was added. */
  let stuckAt = 0;
  let moving: "no" | "aside" | "done" = "no";
  let commits = 0;

  const ask = (how: "noop" | "passive"): LogState => {
    const [state] = database.all<LogState>(`pragma wal_checkpoint(${how})`);
    return state ?? { log: 0, checkpointed: 0 };
  };

  function begin(log: number): void {
    stuckAt = log;
    moving = "aside";
    const end = (how: "no" | "done") => () => {
      moving = how;
    };
    moveAside().then(end("done"), end("no"));
  }

  function finish(): void {
    moving = "no";
    const { log, checkpointed } = ask("passive");
    stuckAt = log === checkpointed ? 0 : log;
  }

  function look(): void {
    const { log } = ask("noop");
    stuckAt = Math.min(stuckAt, log);
    if (log - stuckAt >= longLog) begin(log);
  }

  return async () => {
    const isMoved = moving === "done";
    if (!isMoved && (moving === "aside" || ++commits % commitsToLook !== 0)) return;
    if (isMoved) await nextRound(); // those who waited for the commit are told first
    try {
      if (isMoved) finish();
      else look();
    } catch {
      // What the disk does not take stays in the log, which is as durable.
    }
  };
}
