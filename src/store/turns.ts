// A write begun inside another is refused on both dialects: SQLite would wait for itself, and PostgreSQL would take
// a second connection, which does not see the first one's rows and can exhaust the pool. The context of the call
// tells, not a flag of the store, because innocent callers may call at the same moment.

import { AsyncLocalStorage } from "node:async_hooks";

/** Open while the work of one write runs; what it was handed works only so long. */
export type Turn = { open: boolean };

const turns = new AsyncLocalStorage<Turn>();

export async function takeTurn<T>(work: (turn: Turn) => T | Promise<T>): Promise<T> {
  const turn: Turn = { open: true };
  try {
    return await turns.run(turn, () => work(turn));
  } finally {
    turn.open = false;
  }
}

export function refuseNestedWrite(): void {
  if (turns.getStore()?.open) {
    throw new Error("A write was begun inside another one: hand its db on instead.");
  }
}
