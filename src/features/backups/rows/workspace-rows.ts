// The rows of one workspace, read from a snapshot, and inserted in one transaction, on either database.

import { type CopyClient, inCopyTransaction } from "../../../platform/database/engine/postgres-client.ts";
import {
  openDatabase,
  type SqliteDatabase,
  type SqlValue,
  sqliteCode,
} from "../../../platform/database/engine/sqlite-database.ts";
import type { StoreLocation } from "../../../platform/database/open.ts";
import { putWords } from "../../../platform/database/search/sqlite.ts";
import { Refusal } from "../../../platform/errors.ts";
import { quoted } from "./own-names.ts";
import { assignedColumns, type WorkspaceTable } from "./workspace-tables.ts";

export type Row = Readonly<Record<string, SqlValue>>;

/** Reads the database as it was at the beginning. */
export type RowSource = {
  readonly rowsOf: (table: WorkspaceTable) => AsyncIterable<Row>;
  readonly select: (sql: string) => Promise<readonly Row[]>;
};

/** Writes within one transaction. A refusal undoes it. */
export type RowTarget = {
  readonly columnsOf: (table: string) => Promise<readonly string[]>;
  readonly insert: (table: string, row: Row) => Promise<void>;
  readonly run: (sql: string, values: readonly SqlValue[]) => Promise<void>;
  readonly select: (sql: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
};

type Place = { readonly location: StoreLocation; readonly addonFile: string | undefined };

const workspaceIdForm = /^wsp_[0-9a-z]{26}$/;

/** `workspaceId` becomes part of statements, so only what has its form. */
function requireForm(workspaceId: string): void {
  if (!workspaceIdForm.test(workspaceId))
    throw new Refusal("invalid_request", `${workspaceId} is not the ID of a workspace.`);
}

export async function readRows<T>(
  { location, addonFile }: Place,
  workspaceId: string,
  work: (source: RowSource) => Promise<T>,
): Promise<T> {
  requireForm(workspaceId);
  if ("databaseUrl" in location)
    return await inCopyTransaction(location.databaseUrl, "begin isolation level repeatable read read only", (client) =>
      work({
        rowsOf: (table) => fetchRows(client, toSelect(table, workspaceId)),
        select: async (sql) => (await client.query<Row>(sql)).rows,
      }),
    );
  using database = openDatabase(location.databaseFile, { readonly: true, lockWaitMs: 5_000, addonFile });
  database.script("begin");
  return await work({
    rowsOf: (table) => iterateRows(database, toSelect(table, workspaceId)),
    select: async (sql) => database.all<Row>(sql),
  });
}

function toSelect({ name, via, where = "true" }: WorkspaceTable, workspaceId: string): string {
  const table = quoted(name);
  if (via === undefined) return `select * from ${table} where workspace_id = '${workspaceId}' and ${where}`;
  const { column, parent } = via;
  return `select ${table}.* from ${table} join ${quoted(parent)} on ${quoted(parent)}.id = ${table}.${quoted(column)}
    where ${quoted(parent)}.workspace_id = '${workspaceId}'`;
}

async function* iterateRows(database: SqliteDatabase, sql: string): AsyncIterable<Row> {
  yield* database.iterate<Row>(sql);
}

/** A row may contain a large message, so few are in memory at once. */
const rowsAtOnce = 16;

async function* fetchRows(client: CopyClient, sql: string): AsyncIterable<Row> {
  await client.query(`declare moved no scroll cursor for ${sql}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from moved`);
    yield* rows;
    if (rows.length < rowsAtOnce) break;
  }
  await client.query("close moved");
}

export async function writeRows<T>(
  { location, addonFile }: Place,
  work: (target: RowTarget) => Promise<T>,
): Promise<T> {
  if ("databaseUrl" in location)
    return await inCopyTransaction(location.databaseUrl, "begin", (client) => work(postgresTarget(client)));
  // Its end rolls back what isn't committed.
  using database = openDatabase(location.databaseFile, { lockWaitMs: 5_000, addonFile });
  try {
    for (const pragma of ["synchronous = full", "foreign_keys = on", "temp_store = memory"])
      database.script(`pragma ${pragma}`);
    database.script("begin immediate");
    const done = await work(sqliteTarget(database));
    database.script("commit");
    return done;
  } catch (error) {
    throw sqliteCode(error) === "SQLITE_FULL"
      ? new Refusal("overloaded", "The disk is full. Nothing was changed.")
      : error;
  }
}

function sqliteTarget(database: SqliteDatabase): RowTarget {
  return {
    columnsOf: async (table) =>
      database.all<{ readonly name: string }>("select name from pragma_table_info(?)", [table]).map(({ name }) => name),
    insert: async (table, row) => {
      if (table === "test_words") {
        const { test_id, workspace_id, words } = row;
        putWords(database, { testId: String(test_id), workspaceId: String(workspace_id), words: String(words) });
        return;
      }
      const names = Object.keys(row);
      const places = names.map(() => "?").join(", ");
      explaining(table, row, () =>
        database.run(
          `insert into ${quoted(table)} (${names.map(quoted).join(", ")}) values (${places})`,
          Object.values(row),
        ),
      );
    },
    run: async (sql, values) => void database.run(sql.replace(numbered, "?"), values),
    select: async (sql, values) => database.all<Row>(sql.replace(numbered, "?"), values),
  };
}

const numbered = /\$\d/g;

function postgresTarget(client: CopyClient): RowTarget {
  return {
    columnsOf: async (table) => {
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
          where table_schema = current_schema() and table_name = $1`,
        [table],
      );
      return rows.map(({ name }) => name);
    },
    insert: async (table, row) => {
      const names = Object.keys(row);
      const places = names.map((_, index) => `$${index + 1}`).join(", ");
      const sql = `insert into ${quoted(table)} (${names.map(quoted).join(", ")}) values (${places})`;
      await client.query(sql, Object.values(row)).catch((error) => {
        throw toConflict(table, row, error);
      });
    },
    run: async (sql, values) => void (await client.query(sql, [...values])),
    select: async (sql, values) => (await client.query<Row>(sql, [...values])).rows,
  };
}

function explaining(table: string, row: Row, insert: () => void): void {
  try {
    insert();
  } catch (error) {
    throw toConflict(table, row, error);
  }
}

const taken = /^(?:SQLITE_CONSTRAINT_(?:PRIMARYKEY|UNIQUE)|23505)$/;
const wrong = /^(?:SQLITE_CONSTRAINT|SQLITE_MISMATCH|22|23)/;

/** Without the row's content, which may be anything. */
function toConflict(table: string, { id }: Row, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const which = typeof id === "string" ? ` (${id.slice(0, 40)})` : "";
  if (taken.test(code))
    return new Refusal(
      "conflict",
      `This server already has a row of ${table} that is in the file${which}. Import it with --new-ids. Nothing was changed.`,
    );
  if (wrong.test(code))
    return new Refusal("invalid_request", `A row of ${table} in the file is not valid${which}. Nothing was changed.`);
  return error;
}

/** The columns that a row of the file may have. */
export function copiedColumns(table: string, columns: readonly string[]): readonly string[] {
  const assigned = assignedColumns[table] ?? [];
  return columns.filter((column) => !assigned.includes(column));
}
