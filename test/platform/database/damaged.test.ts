import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/platform/database/engine/sqlite-database.ts";
import { migrations } from "../../../src/platform/database/migrations/list.ts";
import { insertAnalysed } from "./analysed.ts";
import { insertWorkspaces } from "./nouns.ts";
import { openSqliteStore, temporaryFolder } from "./temporary.ts";

async function makeDatabase(): Promise<string> {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  const value = "x".repeat(10_000);
  await store.write((db) => db.insertInto("meta").values({ key: "installation_id", value }).execute());
  await store.close();
  return file;
}

function overwriteAfterFirstPage(file: string): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(statSync(file).size - 4096, 0x5a), 0, null, 4096);
  closeSync(descriptor);
}

const saysDamaged = {
  name: "Refusal",
  code: "overloaded",
  message: expect.stringMatching(/^The database .* is damaged\. .* assay restore/),
};

test.each([
  ["overwritten after its first page", overwriteAfterFirstPage],
  ["cut to 9000 bytes", (file: string) => truncateSync(file, 9000)],
  ["cut to 50 bytes", (file: string) => truncateSync(file, 50)],
])("a database %s is rejected with a message that names it", async (_, damage) => {
  const file = await makeDatabase();
  damage(file);
  const opening = openSqliteStore(file);
  await expect(opening).rejects.toMatchObject(saysDamaged);
  await expect(opening).rejects.toThrow(file);
});

test("a database that is damaged where it is copied before a migration is rejected with a message", async () => {
  const file = await makeDatabase();
  overwriteAfterFirstPage(file);
  const later = { name: "9001-later", statements: () => [] };
  await expect(openSqliteStore(file, { migrations: [...migrations, later] })).rejects.toMatchObject(saysDamaged);
  expect(readdirSync(join(file, "..")).filter((name) => name.includes("before"))).toEqual([]);
});

test("damage at runtime is reported by reads and writes", async () => {
  const file = await makeDatabase();
  const store = await openSqliteStore(file);
  overwriteAfterFirstPage(file);
  const read = (db: typeof store.read) => db.selectFrom("tests").selectAll().execute();
  await expect(read(store.read)).rejects.toMatchObject(saysDamaged);
  await expect(read(store.readInWorker)).rejects.toMatchObject(saysDamaged);
  await expect(store.write(read)).rejects.toMatchObject(saysDamaged);
  await expect(store.sqlite.writeRaw((raw) => raw.all("select * from tests"))).rejects.toMatchObject(saysDamaged);
});

test("another program's database is rejected and not changed", async () => {
  for (const script of [
    "pragma application_id = 7",
    "create table tests (a)",
    "pragma journal_mode = wal; create table tests (a)",
  ]) {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    writeFileSync(file, "");
    const other = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
    other.script(script);
    const inUse = openSqliteStore(file);
    await expect(inUse).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("another program"),
    });
    other.close();
    const before = readFileSync(file);
    await expect(openSqliteStore(file)).rejects.toThrow("another program");
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["assay.db"]);
  }
});

test("a database whose first start ended before its first table can be used", async () => {
  const file = join(temporaryFolder(), "assay.db");
  writeFileSync(file, "");
  const ended = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  ended.script("pragma auto_vacuum = incremental; pragma journal_mode = wal");
  ended.close();
  expect(statSync(file).size).toBeGreaterThan(0);
  await openSqliteStore(file);
});

test("a damaged search index is reported during cleanup, which still returns free pages", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  for (let letter = 0; letter < 8; letter++)
    await insertAnalysed(store, [{ subject: `Letter ${letter}`, receivedAt: 1_000 + letter }]);
  const value = "x".repeat(1_000_000);
  await store.write((db) => db.insertInto("meta").values({ key: "large", value }).execute());
  await store.write((db) => db.deleteFrom("meta").where("key", "=", "large").execute());
  const other = new Database(file).unsafeMode();
  other.exec("update test_trigrams_data set block = x'ffffffff' where id > 10");
  await expect(store.sqlite.tidy()).rejects.toMatchObject(saysDamaged);
  expect(other.pragma("freelist_count", { simple: true })).toBeLessThan(10);
  other.close();
});
