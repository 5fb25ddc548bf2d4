// The settings that were changed in the app. Reads them next to a running server, changes nothing, and doesn't need a
// database that this version can open.

import { existsSync } from "node:fs";
import { createThreadReader } from "../thread-reader.ts";
import { besideServer, createBriefClient } from "./check-database.ts";

const text = "select key, value from meta where key like 'setting:%'";
const withinMs = 5_000;
type SettingRow = { readonly key: string; readonly value: string };

/** What was changed in the app, encrypted, by the name of the setting. */
export async function listSqliteSettings(file: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(file)) return new Map();
  const thread = createThreadReader(besideServer(file));
  try {
    return toSettings((await thread.query(text, [])) as SettingRow[]);
  } finally {
    await thread.close();
  }
}

export async function listPostgresSettings(url: string): Promise<ReadonlyMap<string, string>> {
  const client = createBriefClient(url, withinMs, "assay settings");
  try {
    await client.connect();
    const { rows } = await client.query<{ there: boolean }>("select to_regclass('meta') is not null as there");
    return toSettings(rows[0]?.there ? (await client.query<SettingRow>(text)).rows : []);
  } finally {
    await client.end().catch(() => {});
  }
}

function toSettings(rows: readonly SettingRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ key, value }) => [key.slice("setting:".length), value]));
}
