import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { unpackAddon } from "../system/assets.ts";
import type { System } from "../system/system.ts";
import { openDatabase, sqliteCode } from "./engine/sqlite-database.ts";
import { refusing } from "./engine/sqlite-files.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";

export type StoreLocation = { readonly databaseFile: string } | { readonly databaseUrl: string };

export type StoreOptions = {
  /** Throws where a file of an older Assay may not be brought forward now. */
  readonly beforeMigration?: () => void;
  /** What tests change. */
  readonly migrations?: readonly Migration[];
  readonly lockTries?: number;
};

export function storeLocation(config: Pick<Config, "dataDir" | "databaseUrl">): StoreLocation {
  return config.databaseUrl
    ? { databaseUrl: config.databaseUrl }
    : { databaseFile: join(config.dataDir, "assay.db") };
}

/** Opens the database, migrated to today's schema. */
export async function openStore(
  location: StoreLocation,
  system: Pick<System, "now" | "random" | "log">,
  options: StoreOptions = {},
): Promise<Store> {
  const known = options.migrations ?? migrations;
  if ("databaseUrl" in location) return openPostgres(location.databaseUrl, system, known);
  return openSqlite(location.databaseFile, system, {
    migrations: known,
    lockTries: options.lockTries ?? 100,
    beforeMigration: options.beforeMigration,
  });
}

// One `assay serve` a data directory: SQLite's lock on a small file of its own, because the operating system takes it
// back from a process however it ends, and a file with a process id would outlive a kill.

export type ServeLock = { readonly release: () => void };

const lockFile = (dataDir: string) => join(dataDir, "serve.lock");

export function lockDataDirectory(dataDir: string): ServeLock {
  const file = lockFile(dataDir);
  const database = refusing(`The data directory ${dataDir} cannot be written`, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) closeSync(openSync(file, "w", 0o600));
    return openDatabase(file, { lockWaitMs: 0, addonFile: unpackAddon(dataDir) });
  });
  try {
    database.run("begin exclusive");
  } catch (error) {
    database.close();
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    throw new Refusal(
      "conflict",
      `Another assay serve is running on ${dataDir}: stop it, or set ASSAY_DATA_DIR to another folder.`,
    );
  }
  return { release: database.close };
}

/**
 * For a command that would bring the database forward: an older server, which does not know what a migration changed, would go
 * on writing as before. Which servers share a database of PostgreSQL nobody here knows.
 */
export function refuseToOvertakeServer(dataDir: string): void {
  if (!isServed(dataDir)) return;
  throw new Refusal(
    "conflict",
    `The server that runs on ${dataDir} is older than this command, and its database must be brought forward first: restart it with this version.`,
  );
}

/** Whether a server runs on this data directory. */
export function isServed(dataDir: string): boolean {
  const file = lockFile(dataDir);
  if (!existsSync(file)) return false;
  const database = openDatabase(file, { readonly: true, lockWaitMs: 0, addonFile: unpackAddon(dataDir) });
  try {
    database.all("select 1 from sqlite_schema");
    return false;
  } catch (error) {
    if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    return true;
  } finally {
    database.close();
  }
}
