// Applies migrations, each in its own transaction. Kysely's migrator doesn't wrap a migration of SQLite in a
// transaction and reports a newer database as corrupted.

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { messageOf, Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";
import { applicationId } from "./engine/sqlite-files.ts";
import { type Migration, words } from "./migrations/migration.ts";
import type { Db } from "./schema/schema.ts";
import type { Store } from "./store.ts";

/** Any number that other software on the same PostgreSQL is unlikely to lock: "assay" in ASCII. */
const advisoryLock = 0x61_73_73_61_79;

export async function migrate(
  store: Pick<Store, "dialect" | "write">,
  migrations: readonly Migration[],
  { now, log }: Pick<System, "now" | "log">,
): Promise<void> {
  // Creating a new database isn't news for the operator.
  let isNew = false;
  for (;;) {
    const applied = await store.write((db) => applyNext(db, store.dialect, migrations, now()));
    if (applied === undefined) return;
    isNew ||= applied === migrations[0]?.name;
    log[isNew ? "debug" : "info"]("migrated the database", { migration: applied });
  }
}

/** If several processes start at once, one migrates while the others wait. */
async function applyNext(
  db: Db,
  dialect: Store["dialect"],
  migrations: readonly Migration[],
  now: number,
): Promise<string | undefined> {
  if (dialect === "postgres") {
    await sql`set local statement_timeout = 0`.execute(db);
    await lockMigrations(db);
  }
  const { text, integer, strict } = words[dialect];
  await sql
    .raw(
      `create table if not exists migrations (name ${text} primary key not null, checksum ${text} not null, applied_at ${integer} not null) ${strict}`,
    )
    .execute(db);
  const count = await requireKnown(db, dialect, migrations);
  const next = migrations[count];
  if (next === undefined) return undefined;
  await runStatements(db, dialect, next);
  const row = { name: next.name, checksum: checksumOf(next, dialect), applied_at: now };
  await db.insertInto("migrations").values(row).execute();
  // SQLite's header has both, where they can be read without opening the database (sqlite-files.ts).
  if (dialect === "sqlite") {
    await sql.raw(`pragma application_id = ${applicationId}`).execute(db);
    await sql.raw(`pragma user_version = ${count + 1}`).execute(db);
  }
  return next.name;
}

/** PostgreSQL only: until the transaction ends, no process migrates the database. */
export async function lockMigrations(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(db);
}

/** Throws if a migration was applied that this version doesn't have. Returns the number of applied ones. */
export async function requireKnown(
  db: Db,
  dialect: Store["dialect"],
  migrations: readonly Migration[],
): Promise<number> {
  const rows = await db.selectFrom("migrations").select(["name", "checksum"]).orderBy("name").execute();
  for (const [index, row] of rows.entries()) requireSame(row, migrations[index], dialect);
  return rows.length;
}

async function runStatements(db: Db, dialect: Store["dialect"], migration: Migration): Promise<void> {
  for (const statement of migration.statements(words[dialect])) {
    try {
      await sql.raw(statement).execute(db);
    } catch (error) {
      if (isOfTheMoment(error)) throw error;
      throw new Refusal(
        "conflict",
        `The migration ${migration.name} failed: ${messageOf(error)}. It was undone, so the database is as it was. Start the previous version of Assay, and report this.`,
        { needsOperator: true },
      );
    }
  }
}

/** A full disk, a lock, a lost connection: another start may succeed. The classes are those of PostgreSQL's SQLSTATE. */
const codesOfTheMoment = /^(SQLITE_(FULL|IOERR|BUSY|LOCKED|NOMEM|INTERRUPT)|08|40|53|55|57|58|E[A-Z])/;

function isOfTheMoment(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return codesOfTheMoment.test(code);
}

/** An edited migration would leave a database that starts but can't read its own data. */
function requireSame(
  row: { readonly name: string; readonly checksum: string },
  known: Migration | undefined,
  dialect: Store["dialect"],
): void {
  if (known?.name !== row.name) throw newerDatabase();
  if (checksumOf(known, dialect) === row.checksum) return;
  throw new Refusal(
    "conflict",
    `The database was created by an unreleased version of Assay with a different ${row.name}. Start with an empty database. Nothing was changed.`,
    { needsOperator: true },
  );
}

function checksumOf(migration: Migration, dialect: Store["dialect"]): string {
  const statements = migration.statements(words[dialect]).join(";\n");
  return createHash("sha256").update(statements).digest("hex");
}

export function newerDatabase(): Refusal {
  return new Refusal(
    "conflict",
    "The database was written by a newer version of Assay. Start that version instead. Nothing was changed.",
    { needsOperator: true },
  );
}
