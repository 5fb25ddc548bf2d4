// Store tests run on both databases: each test opens stores on a database of its own, removed when it ends.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, inject } from "vitest";
import { openStore, type StoreLocation, type StoreOptions } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { storeSystem } from "./store-system.ts";

/** Opens a store on the test's own database; called again, another store on the same one. */
export type Open = (options?: StoreOptions) => Promise<Store>;

export function eachDialect(name: string, tests: (open: Open, dialect: Store["dialect"]) => void): void {
  describe(`${name} on SQLite`, () => tests(openerOf(sqliteDatabase), "sqlite"));
  const url = inject("postgresUrl");
  describe.skipIf(url === null)(`${name} on PostgreSQL`, () =>
    tests(
      openerOf(() => postgresDatabase(url ?? "")),
      "postgres",
    ),
  );
}

type OwnDatabase = { readonly location: StoreLocation; readonly remove: () => Promise<void> };

function openerOf(create: () => Promise<OwnDatabase>): Open {
  let database: OwnDatabase | undefined;
  let stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database?.remove();
    stores = [];
    database = undefined;
  });
  return async (options) => {
    database ??= await create();
    const store = await openStore(database.location, storeSystem(), options);
    stores.push(store);
    return store;
  };
}

async function sqliteDatabase(): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "assay-store-"));
  return {
    location: { databaseFile: join(folder, "assay.db") },
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

async function postgresDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const url = new URL(serverUrl);
  await ask(serverUrl, `create database ${name}`);
  url.pathname = `/${name}`;
  return {
    location: { databaseUrl: url.href },
    remove: () => ask(serverUrl, `drop database ${name} with (force)`),
  };
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
