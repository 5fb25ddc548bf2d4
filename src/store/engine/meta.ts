import type { Db } from "../schema/schema.ts";

type MetaKey = "installation_id" | "secret_key_fingerprint" | SettingKey;
/** A setting that was changed in the app, encrypted (tasks/server-settings.ts). */
type SettingKey = `setting:${string}`;

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

export async function removeMeta(db: Db, key: SettingKey): Promise<void> {
  await db.deleteFrom("meta").where("key", "=", key).execute();
}
