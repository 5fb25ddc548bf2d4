// What a database contains, without its contents: the migrations that were applied, and how many rows each table has. Also
// the settings that were changed in the app. Reads next to a running server, changes nothing, and doesn't need a database
// that this version can open.

import { existsSync } from "node:fs";
import { createThreadReader } from "../thread-reader.ts";
import { besideServer, createBriefClient } from "./check-database.ts";

export type DatabaseContents = {
  readonly migrations: readonly { readonly name: string; readonly at: number }[];
  /** Null: counting would take too long. */
  readonly tables: readonly { readonly name: string; readonly rows: number | null }[];
};

const migrationsText = "select name, applied_at as at from migrations order by name";

/** Null: there is no database yet. */
export async function listSqliteContents(file: string, withinMs: number): Promise<DatabaseContents | null> {
  if (!existsSync(file)) return null;
  const thread = createThreadReader(besideServer(file));
  const ask = async <Row>(text: string) => (await thread.query(text, [])) as Row[];
  try {
    const named = await ask<{ name: string }>(
      "select name from sqlite_schema where type = 'table' and rootpage > 0 and name not like 'sqlite_%' order by name",
    );
    const deadline = performance.now() + withinMs;
    const tables: { name: string; rows: number | null }[] = [];
    for (const { name } of named) {
      const isLate = performance.now() > deadline;
      const quoted = `"${name.replaceAll('"', '""')}"`;
      const [row] = isLate ? [] : await ask<{ rows: number }>(`select count(*) as rows from ${quoted}`);
      tables.push({ name, rows: row === undefined ? null : Number(row.rows) });
    }
    return { migrations: toMigrations(await ask<AppliedRow>(migrationsText)), tables };
  } finally {
    await thread.close();
  }
}

/** Row counts are the estimates of PostgreSQL's planner. */
export async function listPostgresContents(url: string, withinMs: number): Promise<DatabaseContents> {
  const client = createBriefClient(url, withinMs, "assay support");
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string; rows: string }>(
      "select relname as name, reltuples::bigint as rows from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname",
    );
    const { rows: applied } = await client.query<AppliedRow>(migrationsText);
    return {
      migrations: toMigrations(applied),
      // Negative: it was never analyzed.
      tables: tables.map(({ name, rows }) => ({ name, rows: Number(rows) < 0 ? null : Number(rows) })),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

const settingsText = "select key, value from meta where key like 'setting:%'";
const settingsWithinMs = 5_000;
type SettingRow = { readonly key: string; readonly value: string };

/** What was changed in the app, encrypted, by the name of the setting. */
export async function listSqliteSettings(file: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(file)) return new Map();
  const thread = createThreadReader(besideServer(file));
  try {
    return toSettings((await thread.query(settingsText, [])) as SettingRow[]);
  } finally {
    await thread.close();
  }
}

export async function listPostgresSettings(url: string): Promise<ReadonlyMap<string, string>> {
  const client = createBriefClient(url, settingsWithinMs, "assay settings");
  try {
    await client.connect();
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('meta') is not null as there");
    return toSettings(rows[0]?.there ? (await client.query<SettingRow>(settingsText)).rows : []);
  } finally {
    await client.end().catch(() => {});
  }
}

function toSettings(rows: readonly SettingRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ key, value }) => [key.slice("setting:".length), value]));
}

type AppliedRow = { readonly name: string; readonly at: string | number };

function toMigrations(rows: readonly AppliedRow[]): DatabaseContents["migrations"] {
  return rows.map(({ name, at }) => ({ name, at: Number(at) }));
}
