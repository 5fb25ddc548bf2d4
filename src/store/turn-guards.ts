// What the work of a write is handed: its statements go only while its turn is open and its transaction is there.

import type { RawDb, SqliteDatabase } from "./sqlite-database.ts";
import { executeOn } from "./sqlite-driver.ts";
import { requireOpen, type Turn } from "./turns.ts";

export function guardQueries(database: SqliteDatabase, turn: Turn): ReturnType<typeof executeOn> {
  const execute = executeOn(database);
  return (query) => {
    requireTurn(database, turn, query.sql);
    return watch(turn, () => execute(query));
  };
}

export function guardStatements(database: SqliteDatabase, turn: Turn): RawDb {
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
function requireTurn(database: SqliteDatabase, turn: Turn, sql: string): void {
  if (transactionWords.test(sql)) throw new Error("A write neither begins nor ends a transaction.");
  requireOpen(turn);
  if (turn.sawTransaction) return;
  if (!database.inTransaction()) throw new Error("The transaction is gone: an earlier error ended it.");
  turn.sawTransaction = true;
}

/** SQLite ends a transaction by itself on some errors, and on nothing else. */
function watch<T>(turn: Turn, statement: () => T): T {
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
