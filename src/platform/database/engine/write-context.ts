// A write inside another is refused on both dialects. SQLite would wait for itself; PostgreSQL would use a second
// connection, which doesn't see the first one's rows and can exhaust the pool. The async context detects it, not a flag
// of the store, because unrelated callers may call at the same time.

import { AsyncLocalStorage } from "node:async_hooks";
import type { RawDb, SqliteDatabase } from "./sqlite-database.ts";
import { executeOn } from "./sqlite-driver.ts";

/**
 * `open` while the work of one write runs; the db passed to it works only that long. `sawTransaction`: the transaction
 * existed and no statement has failed since.
 */
export type WriteContext = { open: boolean; sawTransaction: boolean; readonly left: Deferred[] };

/** Work put off until other writes have deferred the same `work`. It then runs once for all of them. */
export type Deferred = { readonly work: (raw: RawDb, items: readonly unknown[]) => void; readonly item: unknown };

const turns = new AsyncLocalStorage<WriteContext>();

export async function runInWriteContext<T>(work: (turn: WriteContext) => T | Promise<T>): Promise<T> {
  const turn: WriteContext = { open: true, sawTransaction: false, left: [] };
  try {
    return await turns.run(turn, () => work(turn));
  } finally {
    turn.open = false;
  }
}

/**
 * On SQLite, inside a write: defers work that is cheaper if `work`, the same function, runs once for all items. It runs
 * at the end of their commit, or for raw writes before the next write that isn't raw.
 */
export function deferToCommit<Item>(work: (raw: RawDb, items: readonly Item[]) => void, item: Item): void {
  const turn = turns.getStore();
  if (!turn?.open) throw new Error("Only a write can defer work to the end of its commit.");
  turn.left.push({ work: work as Deferred["work"], item });
}

export function runDeferred(raw: RawDb, left: readonly Deferred[]): void {
  for (const [work, own] of Map.groupBy(left, ({ work }) => work)) {
    work(
      raw,
      own.map(({ item }) => item),
    );
  }
}

/** Throws where deferred work would never run. */
export function requireNothingDeferred({ left }: WriteContext): void {
  if (left.length > 0) throw new Error("This write must not defer work to the end of its commit.");
}

export function refuseNestedWrite(): void {
  if (turns.getStore()?.open) {
    throw new Error("A write was begun inside another one. Pass on its db instead.");
  }
}

export function requireOpen(turn: WriteContext): void {
  if (!turn.open) throw new Error("The write has ended, but its db was used afterwards.");
}

// The queries passed to a write's work run only while it is open and its transaction exists.

export function guardQueries(database: SqliteDatabase, turn: WriteContext): ReturnType<typeof executeOn> {
  const execute = executeOn(database);
  return (query) => {
    requireTurn(database, turn, query.sql);
    return watch(turn, () => execute(query));
  };
}

export function guardStatements(database: SqliteDatabase, turn: WriteContext): RawDb {
  return {
    run: (sql, values) => {
      requireTurn(database, turn, sql);
      return watch(turn, () => database.run(sql, values));
    },
    all: (sql, values) => {
      requireTurn(database, turn, sql);
      return watch(turn, () => database.all(sql, values));
    },
  };
}

const transactionWords = /^\s*(begin|commit|end|rollback|savepoint|release)\b/i;

/**
 * Without its transaction a statement would commit alone, and one that ends it would commit half of the other writes.
 */
function requireTurn(database: SqliteDatabase, turn: WriteContext, sql: string): void {
  if (transactionWords.test(sql)) throw new Error("A write must not begin or end a transaction.");
  requireOpen(turn);
  if (turn.sawTransaction) return;
  if (!database.inTransaction()) throw new Error("An earlier error ended the transaction.");
  turn.sawTransaction = true;
}

/** SQLite ends a transaction on some errors, and never otherwise. */
function watch<T>(turn: WriteContext, statement: () => T): T {
  try {
    return statement();
  } catch (error) {
    turn.sawTransaction = false;
    throw error;
  }
}

export function requireSynchronous<T>(value: T): T {
  if (value instanceof Promise) {
    value.catch(() => {}); // the error below is reported instead
    throw new Error("A raw write must be synchronous, but it returned a promise.");
  }
  return value;
}
