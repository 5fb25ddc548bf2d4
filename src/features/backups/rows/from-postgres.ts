// A consistent copy of a PostgreSQL database as a SQLite database with the same tables. It is read in one transaction
// that sees the database as it was when the copy began, row by row, while the servers go on.

import { type CopyClient, inCopyTransaction } from "../../../platform/database/engine/postgres-client.ts";
import { openDatabase, type SqliteDatabase, type SqlValue } from "../../../platform/database/engine/sqlite-database.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import { openStore } from "../../../platform/database/open.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toPlace } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type CopiedTable, listTables, quoted } from "./own-names.ts";

/** Called with the bytes of each batch. Waits if the copy is faster than it may be. */
export type Pace = (bytes: number) => Promise<void>;

type CopyTerms = {
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly addonFile: string | undefined;
  readonly pace: Pace;
};

/** `file`: empty. */
export async function copyFromPostgres(url: string, file: string, terms: CopyTerms): Promise<void> {
  await (await openStore({ databaseFile: file }, quiet(terms.system))).close();
  using database = openDatabase(file, { lockWaitMs: 0, addonFile: terms.addonFile });
  // A copy that isn't complete is thrown away.
  for (const pragma of ["journal_mode = delete", "journal_mode = off", "synchronous = off", "foreign_keys = off"])
    database.script(`pragma ${pragma}`);
  await withoutTriggers(database, () =>
    inCopyTransaction(url, "begin isolation level repeatable read read only", async (client) => {
      await requireSameSchema(client);
      for (const table of listTables(database)) await copyTable(client, database, table, terms.pace);
    }),
  );
}

/** Creating a copy's tables is no news for the operator. */
function quiet({ log, ...system }: CopyTerms["system"]): CopyTerms["system"] {
  return { ...system, log: { ...log, info: log.debug } };
}

/** Totals and queues of removals are copied like everything else, so they must not be written twice. */
async function withoutTriggers(database: SqliteDatabase, work: () => Promise<void>): Promise<void> {
  const triggers = database.all<{ readonly name: string; readonly sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  );
  database.script("begin");
  for (const { name } of triggers) database.script(`drop trigger ${quoted(name)}`);
  await work();
  for (const { sql } of triggers) database.script(sql);
  database.script("commit");
}

async function requireSameSchema(client: CopyClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by name");
  const isSame = rows.length === migrations.length && rows.at(-1)?.name === migrations.at(-1)?.name;
  if (!isSame)
    throw new Refusal(
      "conflict",
      "The database has the schema of another version of Assay. Back it up with the version that its servers run.",
    );
}

async function copyTable(client: CopyClient, database: SqliteDatabase, table: CopiedTable, pace: Pace): Promise<void> {
  database.script(`delete from ${quoted(table.name)}`);
  const { columns } = table;
  const places = columns.map(() => "?").join(", ");
  const insert = `insert into ${quoted(table.name)} (${columns.map(quoted).join(", ")}) values (${places})`;
  const toValues = table.name === "test_words" ? createWordRows(database) : undefined;
  for (const select of await selectsOf(client, table))
    for await (const rows of fetchAll(client, select)) {
      let bytes = 0;
      for (const row of rows) {
        const values = toValues ? toValues(row) : columns.map((column) => row[column] ?? null);
        bytes += sizeOf(values);
        database.run(insert, values);
      }
      await pace(bytes);
    }
}

/** The number of a row of words follows the order of tests (platform/database/search/sqlite.ts). The next free one is taken. */
function createWordRows(database: SqliteDatabase): (row: Row) => SqlValue[] {
  return ({ test_id, workspace_id, words = "" }) => {
    let place = toPlace(String(workspace_id), String(test_id));
    while (database.all("select 1 from test_words where row = ?", [place]).length > 0) place += 1n;
    return [place, test_id ?? null, words];
  };
}

type Row = Readonly<Record<string, SqlValue>>;
type Select = { readonly sql: string; readonly rowsAtOnce: number };

/** Larger values are read one by one, so that memory stays bounded. */
const smallBytes = 65_536;
const rowsAtOnce = 200;

async function selectsOf(client: CopyClient, { name, columns }: CopiedTable): Promise<readonly Select[]> {
  // Several rows of PostgreSQL are one of SQLite (migrations/first/tests.ts).
  if (name === "test_counts")
    return [
      {
        sql: `select workspace_id, month, became, sum(received) as received, sum(kept) as kept
          from test_counts group by 1, 2, 3`,
        rowsAtOnce,
      },
    ];
  if (name === "test_words")
    return [{ sql: "select test_id, workspace_id, words from test_words order by test_id", rowsAtOnce }];
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = current_schema() and table_name = $1`,
    [name],
  );
  requireColumns(
    name,
    columns,
    rows.map((row) => row.name),
  );
  const sql = `select ${columns.map(quoted).join(", ")} from ${quoted(name)}`;
  const large = rows.filter(({ type }) => type === "bytea").map((row) => `octet_length(${quoted(row.name)})`);
  if (large.length === 0) return [{ sql, rowsAtOnce }];
  const size = large.map((length) => `coalesce(${length}, 0)`).join(" + ");
  return [
    { sql: `${sql} where ${size} <= ${smallBytes}`, rowsAtOnce },
    { sql: `${sql} where ${size} > ${smallBytes}`, rowsAtOnce: 1 },
  ];
}

function requireColumns(table: string, wanted: readonly string[], found: readonly string[]): void {
  const missing = wanted.filter((column) => !found.includes(column));
  if (missing.length + found.length === wanted.length && missing.length === 0) return;
  throw new Error(`The table ${table} has other columns in PostgreSQL: ${found.join(", ")}.`);
}

async function* fetchAll(client: CopyClient, { sql, rowsAtOnce: most }: Select): AsyncIterable<Row[]> {
  await client.query(`declare copied no scroll cursor for ${sql}`);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${most} from copied`);
    if (rows.length > 0) yield rows;
    if (rows.length < most) break;
  }
  await client.query("close copied");
}

function sizeOf(values: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  return bytes;
}

/** For a file with an older schema, whose rows go to PostgreSQL. */
export async function migrateCopy(file: string, system: CopyTerms["system"]): Promise<void> {
  await (await openStore({ databaseFile: file }, quiet(system))).close();
}
