// Runs Kysely on a function that answers compiled queries. Kysely's own driver for SQLite prepares each query again,
// and guards its one connection with a mutex: using the outer db inside a transaction, or any query next to an open
// stream, hangs forever without an error.

import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyProps,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
} from "kysely";
import type { Db, Schema } from "../schema.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

type Execute = (query: CompiledQuery) => QueryResult<unknown> | Promise<QueryResult<unknown>>;

const adapter = new SqliteAdapter();
const compiler = new SqliteQueryCompiler();

/** A read-only db. It can't begin a transaction. */
export function createReader(execute: Execute): Db {
  return new Kysely<Schema>(propsOver(execute));
}

/** The db of one write. Because it is a Transaction, Kysely itself refuses a nested transaction. */
export function createWriter(execute: Execute): Db {
  return new Transaction<Schema>(propsOver(execute));
}

export function executeOn(database: SqliteDatabase): Execute {
  return ({ sql, parameters }) => {
    const { rows, changes } = database.query(sql, parameters);
    return changes === undefined ? { rows } : { rows, numAffectedRows: BigInt(changes) };
  };
}

function propsOver(execute: Execute): KyselyProps {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => (await execute(query)) as QueryResult<Row>,
    streamQuery: () => {
      throw new Error("Rows can't be streamed, because an open stream would pin its snapshot. Page by a key instead.");
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return { config: { dialect }, dialect, driver, executor };
}

const refuse = async () => {
  throw new Error("A reader can't begin a transaction. Use store.write.");
};

const driver: Driver = {
  init: async () => {},
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: async () => {},
  destroy: async () => {},
};

const dialect: Dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createQueryCompiler: () => compiler,
  createIntrospector: (db) => new SqliteIntrospector(db),
};
