// Puts a copy, which is a SQLite database, into a PostgreSQL database. Everything is one transaction: what was there is
// moved to another schema, the tables are created, filled, and checked. If any of it fails, nothing has changed.

import {
  type CopyClient,
  inCopyTransaction,
  kyselyOn,
  refuseServers,
} from "../../../platform/database/engine/postgres-client.ts";
import { openDatabase, type SqliteDatabase, type SqlValue } from "../../../platform/database/engine/sqlite-database.ts";
import { adoptUnreleased, lockMigrations, migrate, requireKnown } from "../../../platform/database/migrate.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import type { System } from "../../../platform/system/system.ts";
import { dropAllClaims } from "../../../platform/work/claims.ts";
import { type CopiedTable, listTables, ownFunctions, ownTables, quoted } from "./own-names.ts";

type RestoreTerms = { readonly system: Pick<System, "now" | "log">; readonly addonFile: string | undefined };

/** `file`: with the newest schema. Returns the schema that has the tables that were there. Null if there were none. */
export async function copyToPostgres(file: string, url: string, terms: RestoreTerms): Promise<string | null> {
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: terms.addonFile });
  return await inCopyTransaction(url, "begin", async (client) => {
    await refuseServers(client);
    const kept = await setAside(client);
    const { debug } = terms.system.log;
    const system = { ...terms.system, log: { ...terms.system.log, info: debug } };
    await migrate({ dialect: "postgres", write: (work) => work(kyselyOn(client)) }, { migrations, system });
    const later = await dropUntilFilled(client);
    for (const table of listTables(database)) await fillTable(client, database, table);
    await dropAllClaims(kyselyOn(client)); // of processes that are gone
    for (const statement of later) await client.query(statement);
    await client.query("analyze");
    return kept;
  });
}

/** Also what a newer version created stays together, so that it can be moved back. */
async function setAside(client: CopyClient): Promise<string | null> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() and tablename = any($1)",
    [ownTables],
  );
  if (tables.length === 0) return null;
  const db = kyselyOn(client);
  await lockMigrations(db);
  if (tables.some(({ name }) => name === "migrations")) {
    await adoptUnreleased(db, "postgres", migrations);
    await requireKnown(db, "postgres", migrations);
  }
  const schema = await findFreeSchema(client);
  await client.query(`create schema ${quoted(schema)}`);
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} set schema ${quoted(schema)}`);
  const { rows: functions } = await client.query<{ signature: string }>(
    `select pg_proc.oid::regprocedure::text as signature from pg_proc
      join pg_namespace on pg_namespace.oid = pronamespace
      where nspname = current_schema() and proname = any($1)`,
    [ownFunctions],
  );
  for (const { signature } of functions) await client.query(`alter function ${signature} set schema ${quoted(schema)}`);
  return schema;
}

async function findFreeSchema(client: CopyClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>("select nspname as name from pg_namespace");
  const taken = new Set(rows.map(({ name }) => name));
  let number = 1;
  while (taken.has(`before_restore_${number}`)) number += 1;
  return `before_restore_${number}`;
}

/**
 * Triggers would count everything twice. References are added again at the end, which checks every row, and indexes are
 * built faster over what is there. Returns the statements.
 */
async function dropUntilFilled(client: CopyClient): Promise<string[]> {
  const own = [ownTables];
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and relnamespace = current_schema()::regnamespace and relname = any($1)`,
    own,
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = current_schema()::regnamespace and relname = any($1)
        and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    own,
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const tables = await client.query<{ table: string }>(
    `select oid::regclass::text as "table" from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname = any($1)`,
    own,
  );
  for (const { table } of tables.rows) await client.query(`alter table ${table} disable trigger user`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...references.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...tables.rows.map(({ table }) => `alter table ${table} enable trigger user`),
  ];
}

/** PostgreSQL's limit is 65,535 parameters. */
const mostParameters = 30_000;
const mostBytes = 4_194_304;

async function fillTable(client: CopyClient, database: SqliteDatabase, { name, columns }: CopiedTable) {
  const own = name === "test_words" ? ["test_id", "workspace_id", "words"] : columns;
  const select =
    name === "test_words"
      ? `select test_words.test_id, tests.workspace_id, test_words.words
          from test_words join tests on tests.id = test_words.test_id`
      : `select ${columns.map(quoted).join(", ")} from ${quoted(name)}`;
  await client.query(`delete from ${quoted(name)}`); // what the migrations put there
  const into = `insert into ${quoted(name)} (${own.map(quoted).join(", ")}) overriding system value`;
  let values: SqlValue[] = [];
  let bytes = 0;
  const flush = async () => {
    if (values.length > 0) await client.query(`${into} values ${toPlaces(values.length, own.length)}`, values);
    [values, bytes] = [[], 0];
  };
  for (const row of database.iterate<Readonly<Record<string, SqlValue>>>(select)) {
    for (const column of own) {
      const value = row[column] ?? null;
      values.push(value);
      bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
    }
    if (bytes >= mostBytes || values.length + own.length > mostParameters) await flush();
  }
  await flush();
  await setCounter(client, name);
}

/** Groups of numbered parameters, one for each row. */
function toPlaces(values: number, columns: number): string {
  const rows = Array.from({ length: values / columns }, (_, row) => {
    const places = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`);
    return `(${places.join(", ")})`;
  });
  return rows.join(", ");
}

/** The next number of an auto-incrementing key follows the greatest. */
async function setCounter(client: CopyClient, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and is_identity = 'YES'`,
    [table],
  );
  for (const { name } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), (select coalesce(max(${quoted(name)}), 0) + 1 from ${quoted(table)}), false)`,
      [quoted(table), name],
    );
}
