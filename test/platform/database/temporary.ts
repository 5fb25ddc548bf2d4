import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../../src/platform/database/open.ts";
import type { SqliteDoors, Store } from "../../../src/platform/database/store.ts";
import { placeMigratedFile } from "./migrated-file.ts";
import { storeSystem } from "./store-system.ts";

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type SqliteStore = Store & { readonly sqlite: SqliteDoors };

export async function openSqliteStore(file: string, options?: StoreOptions): Promise<SqliteStore> {
  if (options?.migrations === undefined) await placeMigratedFile(file);
  const store = await openStore({ databaseFile: file }, storeSystem(), options);
  onTestFinished(store.close);
  return store as SqliteStore;
}
