// Applies migrations, each in its own transaction. Kysely's migrator doesn't wrap a migration of SQLite in a
// transaction and reports a newer database as corrupted.

import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { messageOf, Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";
import { toHeader, tooOld, toSchemaVersion, unreleasedBookkeeping } from "./engine/schema-version.ts";
import { applicationId } from "./engine/sqlite-files.ts";
import { type Migration, words } from "./migrations/migration.ts";
import { toDurationWords, type UpgradePlan, type UpgradeWatch, unwatched } from "./migrations/upgrade.ts";
import type { Db } from "./schema.ts";
import type { Store } from "./store.ts";

/** Any number that other software on the same PostgreSQL is unlikely to lock: "assay" in ASCII. */
const advisoryLock = 0x61_73_73_61_79;

type MigrateTerms = {
  readonly migrations: readonly Migration[];
  readonly system: Pick<System, "now" | "log">;
  readonly watch?: UpgradeWatch;
};

export async function migrate(
  store: Pick<Store, "dialect" | "write">,
  { migrations, system: { now, log }, watch = unwatched }: MigrateTerms,
): Promise<void> {
  // Creating a new database isn't news for the operator.
  let isNew = false;
  for (;;) {
    const began = now();
    const applied = await pastDeadlocks(log, () =>
      store.write((db) => applyNext(db, store.dialect, { migrations, now: began, watch })),
    );
    if (applied === undefined) return;
    isNew ||= applied === migrations[0]?.name;
    const number = migrations.findIndex(({ name }) => name === applied) + 1;
    const fields = { migration: applied, of: `${number}/${migrations.length}`, ms: now() - began };
    log[isNew ? "debug" : "info"]("migrated the database", fields);
  }
}

const mostDeadlocks = 20;
const afterDeadlockMs = 200;

/**
 * PostgreSQL only: processes of the previous version still write. One that has one table and waits for another can meet a
 * migration that has them in the other order. PostgreSQL then undoes the migration, which is begun again.
 */
async function pastDeadlocks<T>(log: System["log"], attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isDeadlock = error instanceof Error && "code" in error && error.code === "40P01";
      if (!isDeadlock || failures >= mostDeadlocks) throw error;
      log.info("a migration met a write of another process and is tried again", { attempt: failures });
      await pause(afterDeadlockMs * failures);
    }
  }
}

type Announced = { readonly from: string | undefined; readonly to: string | undefined };

/** Says what is about to happen to a database that an older version left, and how long it may take. */
export async function announceUpgrade(
  plan: UpgradePlan,
  { from, to }: Announced,
  log: System["log"],
  watch: UpgradeWatch,
): Promise<void> {
  log.info("upgrading the database", {
    from,
    to,
    tests: plan.tests,
    expected: toDurationWords(plan.expectedMs),
    basis: "estimated from the number of rows and the speed of two cores with a local disk",
  });
  await watch.begin(plan);
}

/** If several processes start at once, one migrates while the others wait. */
async function applyNext(
  db: Db,
  dialect: Store["dialect"],
  {
    migrations,
    now,
    watch,
  }: { readonly migrations: readonly Migration[]; readonly now: number; readonly watch: UpgradeWatch },
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
  watch.step(next.name);
  await runStatements(db, dialect, next);
  const row = { name: next.name, checksum: checksumOf(next, dialect), applied_at: now };
  await db.insertInto("migrations").values(row).execute();
  // SQLite's header has both, where they can be read without opening the database (sqlite-files.ts).
  if (dialect === "sqlite") {
    await sql.raw(`pragma application_id = ${applicationId}`).execute(db);
    await sql.raw(`pragma user_version = ${toHeader(count + 1)}`).execute(db);
  }
  return next.name;
}

/** PostgreSQL only: until the transaction ends, no process migrates the database. */
export async function lockMigrations(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(db);
}

/**
 * Rewrites the bookkeeping of a database from before the first release, whose schema is the one of the first migration.
 * Nothing if there is no such bookkeeping, perhaps because another process was faster.
 */
export async function adoptUnreleased(db: Db, dialect: Store["dialect"], [first]: readonly Migration[]): Promise<void> {
  if (dialect === "postgres") await lockMigrations(db);
  const rows = await db.selectFrom("migrations").selectAll().orderBy("name").execute();
  const version = toSchemaVersion(rows.map(({ name }) => name));
  if (version === "too-old") throw tooOld("The database");
  if (version !== "unreleased" || first === undefined) return;
  const text = rows.map(({ name, checksum }) => `${name} ${checksum}`).join("\n");
  if (sha256(text) !== unreleasedBookkeeping[dialect]) throw otherMigrations("other migrations");
  await db.deleteFrom("migrations").execute();
  const applied_at = rows.at(-1)?.applied_at ?? 0;
  const row = { name: first.name, checksum: checksumOf(first, dialect), applied_at };
  await db.insertInto("migrations").values(row).execute();
  if (dialect === "sqlite") await sql.raw(`pragma user_version = ${toHeader(1)}`).execute(db);
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
  if (known?.name !== row.name) throw newerDatabase(null);
  if (checksumOf(known, dialect) !== row.checksum) throw otherMigrations(`a different ${row.name}`);
}

function otherMigrations(which: string): Refusal {
  return new Refusal(
    "conflict",
    `The database was created by an unreleased version of Assay with ${which}, and no release can open it. Keep running the version that created it, or start with an empty database. Nothing was changed.`,
    { needsOperator: true },
  );
}

export function checksumOf(migration: Migration, dialect: Store["dialect"]): string {
  return sha256(migration.statements(words[dialect]).join(";\n"));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** `copy`: one of the files that were copied before a migration, if this version can open it. */
export function newerDatabase(copy: string | null): Refusal {
  const back =
    copy === null
      ? "To go back to this version, restore a backup from before the upgrade."
      : `To go back to this version, run: assay restore ${copy}. That loses what arrived after the upgrade.`;
  return new Refusal(
    "conflict",
    `The database was written by a newer version of Assay. Start that version instead. ${back} Nothing was changed.`,
    { needsOperator: true },
  );
}
