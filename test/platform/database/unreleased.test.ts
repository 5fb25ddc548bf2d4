// A database of the last version before the first release is adopted as it is. Earlier ones are rejected.

import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { toRow } from "../../../src/features/server/doctor/database.ts";
import { readReport } from "../../../src/features/tests/rows/reports.ts";
import { checkPostgres, checkSqlite } from "../../../src/platform/database/engine/check-database.ts";
import { verifyCopy } from "../../../src/platform/database/engine/restore.ts";
import { migrations } from "../../../src/platform/database/migrations/list.ts";
import type { Migration } from "../../../src/platform/database/migrations/migration.ts";
import { openStore, type StoreLocation } from "../../../src/platform/database/open.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { testSystem } from "../../test-system.ts";
import { testTerminal } from "../cli/terminal.ts";
import { kinds, newFolder, placeRelease, queryPostgres, releases, unreleased } from "./release-databases.ts";
import { storeSystem } from "./store-system.ts";

const facts = releases.find(({ name }) => name === unreleased)?.facts;
const sentence =
  "is from before the first release, and too old for this version. Start Assay as of 29 November 2026 (commit 7d883a3b) on it once, then this version.";

type Rows = Record<string, unknown>[];

async function query(location: StoreLocation, sql: string): Promise<Rows> {
  if ("databaseUrl" in location) return await queryPostgres(location.databaseUrl, sql);
  const database = new Database(location.databaseFile);
  try {
    const statement = database.prepare(sql);
    return statement.reader ? (statement.all() as Rows) : [statement.run()].map(() => ({}));
  } finally {
    database.close();
  }
}

/** All rows of all tables but the bookkeeping, which is the only one that may differ. */
async function readRows(location: StoreLocation): Promise<Record<string, unknown>> {
  const tables = await query(
    location,
    "databaseUrl" in location
      ? "select tablename as name from pg_tables where schemaname = 'public' order by 1"
      : "select name from sqlite_schema where type = 'table' and name not like 'sqlite_stat_' order by 1",
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables)
    if (name !== "migrations") rows[String(name)] = (await query(location, `select * from ${name}`)).map(toText).sort();
  return rows;
}

function toText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

/** Whatever a query could notice of the schema. */
async function readSchema(location: StoreLocation): Promise<Rows> {
  if ("databaseUrl" in location)
    return await query(
      location,
      `select table_name || '.' || column_name as name, concat(data_type, collation_name, is_nullable, column_default, is_identity) as sql
        from information_schema.columns where table_schema = 'public'
      union all select indexname, indexdef from pg_indexes where schemaname = 'public'
      union all select conrelid::regclass || conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
      order by 1, 2`,
    );
  const rows = await query(
    location,
    "select type, name, sql from sqlite_schema where name not like 'sqlite_stat_' order by type, name",
  );
  return rows.map((row) => ({ ...row, sql: row.sql === null ? null : withoutSpaces(String(row.sql)) }));
}

/** A column that was added later is written in other places of the text. */
function withoutSpaces(sql: string): string {
  return sql.replaceAll('"bounces"', "bounces").replace(/\s+/g, "");
}

async function newLocation(kind: (typeof kinds)[number]): Promise<StoreLocation> {
  const location = await placeRelease(unreleased, kind);
  if ("databaseFile" in location) return { databaseFile: `${newFolder()}/assay.db` };
  await query(location, "drop schema public cascade");
  await query(location, "create schema public");
  return location;
}

/** Those of the first release: such a database is adopted as one of that version, and upgraded from there. */
const first = migrations.slice(0, 1);
const open = async (location: StoreLocation, more: readonly Migration[] = []) =>
  (await openStore(location, storeSystem(), { migrations: [...first, ...more] })).close();
const headerOf = (location: StoreLocation) =>
  "databaseUrl" in location ? [] : query(location, "select * from pragma_user_version, pragma_application_id");

describe.each(kinds)("a database from before the first release on %s", (kind) => {
  test("a database from before the first release opens with only its migration table changed, and has the schema of a new one", async () => {
    const location = await placeRelease(unreleased, kind);
    const rows = await readRows(location);
    expect(Object.values(rows).flat().length).toBeGreaterThan(80);
    const system = testSystem();
    await (await openStore(location, system, { migrations: first })).close();
    expect(await readRows(location)).toEqual(rows);
    expect(system.logged.filter(({ message }) => message === "migrated the database")).toEqual([]);

    const fresh = await newLocation(kind);
    await open(fresh);
    expect(await readSchema(location)).toEqual(await readSchema(fresh));
    const bookkeeping = "select name, checksum from migrations";
    expect(await query(location, bookkeeping)).toEqual(await query(fresh, bookkeeping));
    expect(await headerOf(location)).toEqual(await headerOf(fresh));
    if ("databaseFile" in location) expect(readdirSync(dirname(location.databaseFile))).toEqual(["assay.db"]);
  });

  test("a database from before the first release has all of its reports", async () => {
    const { read, close } = await openStore(await placeRelease(unreleased, kind), storeSystem());
    const scope = inWorkspace(read, facts?.[kind].workspaceId ?? "");
    for (const { id, subject } of facts?.[kind].tests ?? [])
      expect(JSON.parse((await readReport(scope, id)) ?? "").subject).toBe(subject);
    await close();
  });

  test("a database from before the first release is adopted once by two simultaneous starts, and later migrations run", async () => {
    const location = await placeRelease(unreleased, kind);
    const later = { name: "0002-later", statements: () => ["create table later (a integer)"] };
    await Promise.all([open(location, [later]), open(location, [later])]);
    expect(await query(location, "select name from migrations order by name")).toEqual([
      { name: "0001-first-release" },
      { name: "0002-later" },
    ]);
  });

  test("a database from before the first release is shown by the server check as migrated at the next start", async () => {
    expect(await rowOf(await placeRelease(unreleased, kind))).toMatchObject({
      state: "green",
      says: expect.stringContaining("It is migrated at the next start."),
    });
  });

  test("a database from before the first release is rejected at an earlier migration, with the version that it needs, and not changed", async () => {
    const location = await placeRelease(unreleased, kind);
    await query(location, "delete from migrations where name = '0028-outgoing-server'");
    if ("databaseFile" in location) await query(location, "pragma user_version = 27");
    const before = await readState(location);
    await expect(open(location)).rejects.toMatchObject({
      message: `The database ${sentence} Nothing was changed.`,
      details: { needsOperator: true },
    });
    const row = await rowOf(location);
    expect([row.state, row.says]).toEqual(["red", expect.stringContaining(sentence)]);
    expect(await readState(location)).toEqual(before);
  });

  test("a database from before the first release is rejected if another version made it with the same migration names", async () => {
    const location = await placeRelease(unreleased, kind);
    await query(location, "update migrations set checksum = 'x' where name = '0014-expected-mail'");
    const read = async () => [await readRows(location), await query(location, "select * from migrations")];
    const before = await read();
    await expect(open(location)).rejects.toThrow("unreleased version of Assay with other migrations");
    expect(await read()).toEqual(before);
  });
});

async function rowOf(location: StoreLocation) {
  return "databaseUrl" in location
    ? toRow(await checkPostgres(location.databaseUrl, migrations.length, 5_000), true)
    : toRow(await checkSqlite(location.databaseFile, migrations.length, () => 5_000), false);
}

async function readState(location: StoreLocation): Promise<unknown> {
  if ("databaseFile" in location) return readFileSync(location.databaseFile, "base64");
  return [await readRows(location), await query(location, "select * from migrations order by name")];
}

test("a backup from before the first release is valid, and an earlier one is rejected by its name", async () => {
  const location = await placeRelease(unreleased, "sqlite");
  const file = "databaseFile" in location ? location.databaseFile : "";
  expect(verifyCopy({ file, addonFile: undefined }, migrations.length)).toMatchObject({ tests: 4, workspaces: 1 });
  await query(location, "pragma user_version = 20");
  expect(() => verifyCopy({ file, addonFile: undefined, name: "monday.db" }, migrations.length)).toThrow(
    `monday.db ${sentence}`,
  );
});

test.each(kinds)(
  "a backup from before the first release is restored on %s, over a database of the same version",
  async (kind) => {
    const backup = await placeRelease(unreleased, "sqlite");
    const there = await placeRelease(unreleased, kind);
    const terminal = testTerminal({
      ASSAY_SECRET_KEY: facts?.secretKey ?? "",
      ASSAY_DATA_DIR: "databaseFile" in there ? dirname(there.databaseFile) : newFolder(),
      ...("databaseUrl" in there && { ASSAY_DATABASE_URL: there.databaseUrl }),
    });
    const exitCode = await run(["restore", "databaseFile" in backup ? backup.databaseFile : ""], terminal);
    expect([exitCode, terminal.complaints()]).toEqual([0, ""]);
    await open(there, migrations.slice(1));
    const ids = (await query(there, "select id from tests where became = 'test' order by id")).map(({ id }) => id);
    expect(ids).toEqual(facts?.sqlite.tests.map(({ id }) => id).sort());
  },
);
