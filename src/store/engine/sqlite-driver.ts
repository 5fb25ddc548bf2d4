// Kysely over a function that answers compiled queries. Our own, because Kysely's driver for SQLite prepares each
// query anew, and waits for its one connection behind a mutex: the outer db used inside a transaction, or any query
// beside an open stream, hangs for ever without an error.

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
import type { Db, Schema } from "../schema/schema.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";

type Execute = (query: CompiledQuery) => QueryResult<unknown> | Promise<QueryResult<unknown>>;

const adapter = new SqliteAdapter();
const compiler = new SqliteQueryCompiler();

/** A db that only reads: it begins no transaction. */
export function createReader(execute: Execute): Db {
  return new Kysely<Schema>(propsOver(execute));
}

/** The db of one write. That it is a Transaction makes Kysely itself refuse a transaction inside it. */
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
      throw new Error("Rows are not streamed: an open stream would pin its snapshot. Page by a key instead.");
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return { config: { dialect }, dialect, driver, executor };
}

const refuse = async () => {
  throw new Error("A reader begins no transaction: writes go through store.write.");
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
