// Both databases for tests that restore one into the other, and all of a database's rows as text.

import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { ownTables } from "../../../../src/features/backups/rows/own-names.ts";
import { openDatabase } from "../../../../src/platform/database/engine/sqlite-database.ts";
import { temporaryFolder } from "../../../platform/database/temporary.ts";
import type { Settings } from "./filled-installation.ts";

export type Kind = "SQLite" | "PostgreSQL";
export const kinds: readonly Kind[] = inject("postgresUrl") === null ? ["SQLite"] : ["SQLite", "PostgreSQL"];

/** From one to the other, both ways, where both are there. */
export const directions: readonly (readonly [Kind, Kind])[] =
  kinds.length === 1
    ? [["SQLite", "SQLite"]]
    : [
        ["SQLite", "PostgreSQL"],
        ["PostgreSQL", "SQLite"],
      ];

/** PostgreSQL's servers share a key, so it is a setting there. */
export const keySetting = { ASSAY_SECRET_KEY: "a-secret-key-that-is-long-enough-for-tests" };

/** Settings of an installation on an empty database of that kind. */
export async function newInstallation(kind: Kind): Promise<Settings> {
  const ASSAY_DATA_DIR = temporaryFolder();
  if (kind === "SQLite") return { ASSAY_DATA_DIR };
  return { ASSAY_DATA_DIR, ASSAY_DATABASE_URL: await newPostgres(), ...keySetting };
}

async function newPostgres(): Promise<string> {
  const server = inject("postgresUrl") ?? "";
  const name = `backup_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const url = new URL(server);
  await query(server, `create database ${name}`);
  onTestFinished(() => query(server, `drop database ${name} with (force)`).then(() => {}));
  url.pathname = `/${name}`;
  return url.href;
}

export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const types = { getTypeParser: (oid: number) => ([20, 1700].includes(oid) ? Number : pg.types.getTypeParser(oid)) };
  const client = new pg.Client({ connectionString: url, types: types as pg.CustomTypesConfig });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** The databases differ in these. */
const own = new Set(["row", "number"]);

/** The rows of each table, in the same form for both databases. */
export async function readAll(settings: Settings, where = ""): Promise<Readonly<Record<string, readonly string[]>>> {
  const { ASSAY_DATABASE_URL: url, ASSAY_DATA_DIR: dataDir } = settings;
  const read =
    url === undefined ? fromFile(`${dataDir}/assay.db`) : (sql: string) => query<Row>(url, sql).catch(() => []);
  const all: Record<string, readonly string[]> = {};
  for (const table of ownTables) {
    // What the commands of a test do themselves is recorded in the audit log.
    if (["migrations", "chores", "sessions", "audit_log", "audit_heads"].includes(table)) continue;
    const select =
      table === "test_counts"
        ? `select workspace_id, month, became, sum(received) as received, sum(kept) as kept from test_counts ${where} group by 1, 2, 3`
        : `select * from ${table} ${table === "test_words" ? "" : where}`;
    // A restored database has a mark, from which the audit log knows that the restore ended well.
    const rows = (await read(select)).filter((row) => table !== "meta" || row.key !== "restored");
    if (rows.length > 0) all[table] = rows.map((row) => toText(table, row)).sort();
  }
  return all;
}

function fromFile(file: string): (sql: string) => Promise<Row[]> {
  return async (sql) => {
    const database = openDatabase(file, { readonly: true, lockWaitMs: 1_000, addonFile: undefined });
    try {
      return database.all<Row>(sql);
    } catch {
      return []; // a table that a later migration removed
    } finally {
      database.close();
    }
  };
}

function toText(table: string, row: Row): string {
  const entries = Object.entries(row)
    .filter(([column]) => !own.has(column) && !(table === "test_words" && column === "workspace_id"))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(
    entries.map(([column, value]) => [
      column,
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    ]),
  );
}
