// Queries that are built once and run with different values. Building and compiling a query costs Kysely several times
// what running it costs SQLite. Used for the few that run for every message.

import { type CompiledQuery, PostgresAdapter } from "kysely";
import type { Db } from "../schema.ts";

type Buildable<Row> = { readonly compile: () => CompiledQuery<Row> };

/** Stands for a later value. Its type is whatever the place in the query requires. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Prepared<Values, Row> = (db: Db, values: Values) => Promise<{ readonly rows: Row[]; readonly changed: number }>;

export function prepare<Values extends object, Row = unknown>(
  build: (db: Db, values: Values) => Buildable<Row>,
): Prepared<Values, Row> {
  // Accepts any name that the query uses. A separate list of names could miss one, which would never be filled.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
  /** Compiled once for each dialect. */
  const compiled = new Map<unknown, CompiledQuery<Row>>();
  return async (db, values) => {
    const dialect = db.getExecutor().adapter.constructor;
    const query = compiled.get(dialect) ?? build(db, placeholders as Values).compile();
    compiled.set(dialect, query);
    const parameters = query.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value,
    );
    const { rows, numAffectedRows } = await db.executeQuery<Row>({ ...query, parameters });
    return { rows, changed: Number(numAffectedRows ?? 0) };
  };
}

export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
