// Tests of rows run on SQLite, and with `npm run test:all` also on PostgreSQL. `npm run test:rest` leaves out SQLite where
// `npm test` has run it. Each test opens stores on its own database.
// A SQLite file is removed after the test. A PostgreSQL database is emptied and reused by the worker's next test, because
// creating and migrating one takes four times as long as most tests.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, inject } from "vitest";
import { openStore, type StoreLocation, type StoreOptions } from "../../../src/platform/database/open.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { isExpensive, lane } from "../../lanes.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { storeSystem } from "./store-system.ts";

export type Open = {
  /** Opens a store on the test's own database. Called again, it opens another store on the same one. */
  (options?: StoreOptions): Promise<Store>;
  /** Where that database is, for another process. */
  readonly location: () => Promise<StoreLocation>;
};

/** `without-schema`: for tests of migrations. */
export type Databases = "migrated" | "without-schema";

export function eachDialect(
  name: string,
  tests: (open: Open, dialect: Store["dialect"]) => void,
  databases: Databases = "migrated",
): void {
  const { testPath = "" } = expect.getState();
  if (lane !== "rest" || isExpensive(testPath)) onSqlite(name, tests, databases);
  const url = inject("postgresUrl");
  describe.skipIf(url === null)(`${name} on PostgreSQL`, () =>
    tests(
      openerOf(() => (databases === "migrated" ? emptiedPostgresDatabase(url ?? "") : newPostgresDatabase(url ?? ""))),
      "postgres",
    ),
  );
}

function onSqlite(name: string, tests: (open: Open, dialect: Store["dialect"]) => void, databases: Databases): void {
  describe(`${name} on SQLite`, () =>
    tests(
      openerOf(() => sqliteDatabase(databases)),
      "sqlite",
    ));
}

type OwnDatabase = { readonly location: StoreLocation; readonly remove: () => Promise<void> };

function openerOf(create: () => Promise<OwnDatabase>): Open {
  let database: Promise<OwnDatabase> | undefined;
  let stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores) await store.close();
    await (await database)?.remove();
    stores = [];
    database = undefined;
  });
  const location = async () => {
    database ??= create();
    return (await database).location;
  };
  const open = async (options?: StoreOptions) => {
    const store = await openStore(await location(), storeSystem(), options);
    stores.push(store);
    return store;
  };
  return Object.assign(open, { location });
}

async function sqliteDatabase(databases: Databases): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "assay-store-"));
  const file = join(folder, "assay.db");
  if (databases === "migrated") await placeMigratedFile(file);
  return { location: { databaseFile: file }, remove: async () => rmSync(folder, { recursive: true }) };
}

/** Belongs to this worker: migrated, with only the rows that every new database has. */
const emptied: { readonly location: { readonly databaseUrl: string }; readonly own: OwnRows }[] = [];

async function emptiedPostgresDatabase(serverUrl: string): Promise<OwnDatabase> {
  const one = emptied.pop() ?? (await migratedPostgresDatabase(serverUrl));
  return {
    location: one.location,
    remove: async () => {
      await withClient(one.location.databaseUrl, (client) => empty(client, one.own));
      emptied.push(one);
    },
  };
}

async function migratedPostgresDatabase(serverUrl: string): Promise<(typeof emptied)[number]> {
  const { location } = await newPostgresDatabase(serverUrl);
  await (await openStore(location, storeSystem())).close();
  return { location, own: await withClient(location.databaseUrl, readRows) };
}

/** The rows of each table that a migration or the first start filled. */
type OwnRows = ReadonlyMap<string, string>;

async function readRows(client: pg.Client): Promise<OwnRows> {
  const tables = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()",
  );
  const rows = new Map<string, string>();
  for (const { name } of tables.rows) {
    const { rows: found } = await client.query<{ rows: string | null }>(
      `select json_agg(one)::text as rows from ${name} as one`,
    );
    rows.set(name, found[0]?.rows ?? "[]");
  }
  return rows;
}

/** Without foreign key checks, so that the order doesn't matter. Open connections are terminated. */
async function empty(client: pg.Client, own: OwnRows): Promise<void> {
  const filled = [...own].filter(([, rows]) => rows !== "[]");
  const statements = [
    "set session_replication_role = replica",
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    ...[...own.keys()].map((name) => `delete from ${name}`),
    ...filled.map(
      ([name, rows]) =>
        `insert into ${name} select * from json_populate_recordset(null::${name}, ${client.escapeLiteral(rows)})`,
    ),
    `do $$ declare one record; begin
      for one in select schemaname, sequencename from pg_sequences
      loop execute format('alter sequence %I.%I restart', one.schemaname, one.sequencename); end loop;
    end $$`,
  ];
  await client.query(statements.join(";\n"));
}

async function newPostgresDatabase(
  serverUrl: string,
): Promise<OwnDatabase & { readonly location: { readonly databaseUrl: string } }> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const url = new URL(serverUrl);
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
  url.pathname = `/${name}`;
  return {
    location: { databaseUrl: url.href },
    remove: async () => {
      await withClient(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
