import { sql } from "kysely";
import type { Db } from "../schema.ts";
import { isPostgres } from "./prepared.ts";

type MetaKey =
  | "installation_id"
  | "secret_key_fingerprint"
  | "clock"
  | "receiving"
  | "write_probe"
  | "backup"
  | "damage"
  | "test_doors"
  | "restored"
  | "upgrade"
  | "public_page"
  | "watched_lists"
  | `oidc:${string}`
  | SettingKey
  | "objects:s3";
/** A setting that was changed in the app, encrypted (features/server/work/server-settings.ts). */
type SettingKey = `setting:${string}`;

/**
 * Until the transaction ends, no other one gets past this for the same name, even if there is no row to lock. SQLite has
 * one writer at a time.
 */
export async function lockName(db: Db, name: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

export async function readMeta(db: Db, key: MetaKey): Promise<string | undefined> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

/** Returns the value that is valid from now on: the given one, or an existing one, perhaps from another process. */
export async function writeMetaOnce(db: Db, key: MetaKey, value: string): Promise<string> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return (await readMeta(db, key)) ?? value;
}

export async function writeMeta(db: Db, key: MetaKey, value: string): Promise<void> {
  await db
    .insertInto("meta")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** The settings that were changed in the app, by name. */
export async function listSavedSettings(db: Db): Promise<{ readonly name: string; readonly sealed: string }[]> {
  const rows = await db.selectFrom("meta").selectAll().where("key", "like", "setting:%").orderBy("key").execute();
  return rows.map(({ key, value }) => ({ name: key.slice("setting:".length), sealed: value }));
}

export async function removeMeta(db: Db, key: MetaKey): Promise<void> {
  await db.deleteFrom("meta").where("key", "=", key).execute();
}
