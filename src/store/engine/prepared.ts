// Queries that are built once and run with other values each time: building and compiling one costs Kysely several
// times what running it costs SQLite. For the few that run for every message; all others are built where they stand.

import { type CompiledQuery, PostgresAdapter } from "kysely";
import type { Db } from "../schema/schema.ts";

type Buildable<Row> = { readonly compile: () => CompiledQuery<Row> };

/** Stands in a query for a value to come. Its type is whatever the place asks for. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Prepared<Values, Row> = (
  db: Db,
  values: Values,
) => Promise<{ readonly rows: Row[]; readonly changed: number }>;

export function prepare<Values extends object, Row = unknown>(
  build: (db: Db, values: Values) => Buildable<Row>,
): Prepared<Values, Row> {
  // Whatever the query asks of its values: a list of names beside it could miss one, which would then never be filled.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
  /** One text a dialect. */
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
