// Brings a database forward, one migration a transaction. Our own few lines, because Kysely's migrator does not wrap
// a migration of SQLite in a transaction and reports a newer database as a corrupted one.

import { sql } from "kysely";
import { Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";
import { type Migration, words } from "./migrations/migration.ts";
import type { Db } from "./schema.ts";
import type { Store } from "./store.ts";

/** Any number that no other program on the same PostgreSQL is likely to lock: "assay" in ASCII. */
const advisoryLock = 0x61_73_73_61_79;

export async function migrate(
  store: Pick<Store, "dialect" | "write">,
  migrations: readonly Migration[],
  { now, log }: Pick<System, "now" | "log">,
): Promise<void> {
  for (;;) {
    const applied = await store.write((db) => applyNext(db, store.dialect, migrations, now()));
    if (applied === undefined) return;
    log.info("Migrated the database", { migration: applied });
  }
}

/** One of several processes that start at once does it; the others wait, and find it done. */
async function applyNext(
  db: Db,
  dialect: Store["dialect"],
  migrations: readonly Migration[],
  now: number,
): Promise<string | undefined> {
  if (dialect === "postgres") {
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(db);
  }
  const { text, integer, strict } = words[dialect];
  await sql
    .raw(
      `create table if not exists migrations (name ${text} primary key not null, applied_at ${integer} not null) ${strict}`,
    )
    .execute(db);
  const rows = await db.selectFrom("migrations").select("name").orderBy("name").execute();
  for (const [index, { name }] of rows.entries()) if (migrations[index]?.name !== name) throw newerDatabase();
  const next = migrations[rows.length];
  if (next === undefined) return undefined;
  for (const statement of next.statements(words[dialect])) await sql.raw(statement).execute(db);
  await db.insertInto("migrations").values({ name: next.name, applied_at: now }).execute();
  // The count stands in SQLite's header too, where it can be read without opening the database (sqlite-files.ts).
  if (dialect === "sqlite") await sql.raw(`pragma user_version = ${rows.length + 1}`).execute(db);
  return next.name;
}

export function newerDatabase(): Refusal {
  return new Refusal(
    "conflict",
    "The database was written by a newer Assay than this one; start the newer version. Nothing was changed.",
  );
}
