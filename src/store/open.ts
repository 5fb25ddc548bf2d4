import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { unpackAddon } from "../system/assets.ts";
import type { System } from "../system/system.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import { readSchemaVersion, refusing } from "./sqlite-files.ts";
import type { Store } from "./store.ts";

export type StoreLocation = { readonly databaseFile: string } | { readonly databaseUrl: string };

/** What tests change. */
export type StoreOptions = {
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
  });
}

/** Of an older Assay: to open it brings it forward. */
export function isBehind(databaseFile: string): boolean {
  if (!existsSync(databaseFile)) return false;
  const what = `The database ${databaseFile} cannot be opened`;
  const version = refusing(what, () => readSchemaVersion(databaseFile, unpackAddon(dirname(databaseFile))));
  return version > 0 && version < migrations.length;
}
