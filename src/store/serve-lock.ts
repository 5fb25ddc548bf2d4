// One `assay serve` a data directory: SQLite's lock on a small file of its own, because the operating system takes it
// back from a process however it ends, and a file with a process id would outlive a kill.

import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../errors.ts";
import { unpackAddon } from "../system/assets.ts";
import { openDatabase, sqliteCode } from "./sqlite-database.ts";
import { refusing } from "./sqlite-files.ts";

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

function isServed(dataDir: string): boolean {
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
