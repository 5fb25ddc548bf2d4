import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { withRecording } from "../audit/rows/recording.ts";
import { Refusal } from "../errors.ts";
import type { Config } from "../settings/config.ts";
import { unpackAddon } from "../system/assets.ts";
import type { System } from "../system/system.ts";
import { openDatabase, sqliteCode } from "./engine/sqlite-database.ts";
import { refusing } from "./engine/sqlite-files.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import type { UpgradeWatch } from "./migrations/upgrade.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store, WholeReads } from "./store.ts";

export type StoreLocation = { readonly databaseFile: string } | { readonly databaseUrl: string };

export type StoreOptions = {
  /** Throws if an older Assay's file may not be migrated now. */
  readonly beforeMigration?: () => void;
  /** Told about an upgrade of the database. */
  readonly watch?: UpgradeWatch;
  /** How long to wait for a database server that is away. */
  readonly patientMs?: number;
  /** Replaced by tests. */
  readonly migrations?: readonly Migration[];
  readonly lockTries?: number;
  /** Reads with several queries. */
  readonly reads?: WholeReads;
};

export function storeLocation(config: Pick<Config, "dataDir" | "databaseUrl">): StoreLocation {
  return config.databaseUrl ? { databaseUrl: config.databaseUrl } : { databaseFile: join(config.dataDir, "assay.db") };
}

/** Opens the database and migrates it to the current schema. */
export async function openStore(
  location: StoreLocation,
  system: Pick<System, "now" | "random" | "log">,
  options: StoreOptions = {},
): Promise<Store> {
  const known = options.migrations ?? migrations;
  const { beforeMigration, watch, patientMs = 0 } = options;
  if ("databaseUrl" in location)
    return withRecording(
      await openPostgres(location.databaseUrl, { system, migrations: known, watch, patientMs, reads: options.reads }),
    );
  const sqlite = await openSqlite(location.databaseFile, system, {
    migrations: known,
    lockTries: options.lockTries ?? 100,
    beforeMigration,
    watch,
  });
  return withRecording(sqlite);
}

// One `assay serve` for each data directory, and one work folder for each backup. They hold SQLite's lock on a small
// separate file, because the operating system releases the lock however the process ends. A file with a process ID would
// outlive a kill. Lock files stay, because a lock on a removed file locks nothing.

export type FileLock = { readonly release: () => void };

const lockFile = (dataDir: string) => join(dataDir, "serve.lock");

/** `file`: in the data directory. Null: another process has the lock. */
export function tryLock(file: string): FileLock | null {
  // One that is there isn't opened here: closing it would release a lock of this process. On one that can only be read,
  // SQLite grants the lock to everyone.
  if (existsSync(file)) accessSync(file, constants.W_OK);
  else closeSync(openSync(file, "w", 0o600));
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: unpackAddon(dirname(file)) });
  try {
    database.run("begin exclusive");
    return { release: database.close };
  } catch (error) {
    database.close();
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    return null;
  }
}

export function lockDataDirectory(dataDir: string): FileLock {
  const lock = refusing(`The data directory ${dataDir} cannot be written`, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return tryLock(lockFile(dataDir));
  });
  if (lock !== null) return lock;
  throw new Refusal(
    "conflict",
    `Another assay serve is running on ${dataDir}, or a command that replaces its database or key. Stop it, or wait until the command ends. To use another folder, set ASSAY_DATA_DIR. Nothing was changed.`,
  );
}

/**
 * For a command that would migrate the database: a running older server doesn't know the new schema and would keep
 * writing the old one. On PostgreSQL we can't know which servers share a database.
 */
export function refuseToOvertakeServer(dataDir: string): void {
  if (!isServed(dataDir)) return;
  throw new Refusal(
    "conflict",
    `The server running on ${dataDir} is older than this command and must be upgraded first. Restart it with this version.`,
  );
}

/** Whether a server runs on this data directory. */
export function isServed(dataDir: string): boolean {
  const file = lockFile(dataDir);
  if (!existsSync(file)) return false;
  using database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: unpackAddon(dataDir) });
  try {
    database.all("select 1 from sqlite_schema");
    return false;
  } catch (error) {
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    return true;
  }
}
