// Which tables and functions of a database are ours, because other software may share a PostgreSQL.

import type { SqliteDatabase } from "../../../platform/database/engine/sqlite-database.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import { words } from "../../../platform/database/migrations/migration.ts";

const createdTable = /^\s*create (?:virtual )?table (?:if not exists )?"?([a-z_]{1,60})"?/;
const createdFunction = /^\s*create (?:or replace )?function ([a-z_]{1,60})/;

const postgresStatements = migrations.flatMap(({ statements }) => statements(words.postgres));

/** Includes some that a later migration removed. */
export const ownTables: readonly string[] = [
  "migrations",
  ...new Set(postgresStatements.flatMap((statement) => createdTable.exec(statement)?.[1] ?? [])),
];

export const ownFunctions: readonly string[] = [
  ...new Set(postgresStatements.flatMap((statement) => createdFunction.exec(statement)?.[1] ?? [])),
];

export type CopiedTable = { readonly name: string; readonly columns: readonly string[] };

/**
 * Filled by other means: `migrations` by the migrations, whose checksums differ between the databases, and the index of
 * trigrams from the words.
 */
const notCopied = /^(?:migrations$|sqlite_|test_trigrams)/;

/** The tables of a migrated SQLite file. */
export function listTables(database: Pick<SqliteDatabase, "all">): readonly CopiedTable[] {
  const tables = database.all<{ readonly name: string }>(
    "select name from sqlite_schema where type = 'table' order by name",
  );
  return tables
    .filter(({ name }) => !notCopied.test(name))
    .map(({ name }) => ({
      name,
      columns: database
        .all<{ readonly name: string }>("select name from pragma_table_info(?)", [name])
        .map((column) => column.name),
    }));
}

export const quoted = (name: string) => `"${name}"`;
