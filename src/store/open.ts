import { join } from "node:path";
import type { Config } from "../config.ts";
import type { System } from "../system/system.ts";
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
