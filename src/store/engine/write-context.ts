// A write begun inside another is refused on both dialects: SQLite would wait for itself, and PostgreSQL would take
// a second connection, which does not see the first one's rows and can exhaust the pool. The context of the call
// tells, not a flag of the store, because innocent callers may call at the same moment.

import { AsyncLocalStorage } from "node:async_hooks";
import type { RawDb, SqliteDatabase } from "./sqlite-database.ts";
import { executeOn } from "./sqlite-driver.ts";

/**
 * Open while the work of one write runs; what it was handed works only so long. `sawTransaction`: it was there, and no statement
 * has failed since.
 */
export type WriteContext = { open: boolean; sawTransaction: boolean; readonly left: Deferred[] };

/** Something put off until others have come that the same `work` does: it then does them together. */
export type Deferred = {
  readonly work: (raw: RawDb, items: readonly unknown[]) => void;
  readonly item: unknown;
};

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
 * On SQLite, from within a write: what costs less when `work`, the very same function, does it once for all that was left to
 * it. That is at the end of their commit; for raw writes, before a write that is not raw comes behind them.
 */
export function deferToCommit<Item>(work: (raw: RawDb, items: readonly Item[]) => void, item: Item): void {
  const turn = turns.getStore();
  if (!turn?.open) throw new Error("Only a write leaves something for the end of its commit.");
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

/** Where nobody would do it. */
export function requireNothingDeferred({ left }: WriteContext): void {
  if (left.length > 0) throw new Error("By this write nothing may be left for the end of its commit.");
}

export function refuseNestedWrite(): void {
  if (turns.getStore()?.open) {
    throw new Error("A write was begun inside another one: hand its db on instead.");
  }
}

export function requireOpen(turn: WriteContext): void {
  if (!turn.open) throw new Error("The write is over: its db was used after its work had ended.");
}

// What the work of a write is handed: its statements go only while its turn is open and its transaction is there.

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

/** Without its transaction a statement would commit by itself, and one that ends it would commit the others' half. */
function requireTurn(database: SqliteDatabase, turn: WriteContext, sql: string): void {
  if (transactionWords.test(sql)) throw new Error("A write neither begins nor ends a transaction.");
  requireOpen(turn);
  if (turn.sawTransaction) return;
  if (!database.inTransaction()) throw new Error("The transaction is gone: an earlier error ended it.");
  turn.sawTransaction = true;
}

/** SQLite ends a transaction by itself on some errors, and on nothing else. */
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
    value.catch(() => {}); // the error below is what is told
    throw new Error("A raw write is synchronous: it returned a promise.");
  }
  return value;
}
