import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { makeCopy } from "../../../src/features/backups/work/make-copy.ts";
import { openDatabase, withValuesUnseen } from "../../../src/platform/database/engine/sqlite-database.ts";
import { writeCopy } from "../../../src/platform/database/engine/sqlite-files.ts";
import { createThreadReader } from "../../../src/platform/database/thread-reader.ts";
import { insertAnalysed } from "./analysed.ts";
import { insertWorkspaces } from "./nouns.ts";
import { storeSystem } from "./store-system.ts";
import { openSqliteStore, type SqliteStore, temporaryFolder } from "./temporary.ts";

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function fill({ write }: SqliteStore, rows: number): Promise<void> {
  const values = Array.from({ length: rows }, (_, index) => ({ key: `key ${index}`, value: "secret".repeat(1000) }));
  await write((db) => db.insertInto("meta").values(values).execute());
}

test("the database and its files are readable only by their owner", async () => {
  const folder = join(temporaryFolder(), "made", "here");
  await fill(await openSqliteStore(join(folder, "assay.db")), 1);
  expect(mode(folder)).toBe("700");
  expect(readdirSync(folder).map((name) => [name, mode(join(folder, name))])).toEqual([
    ["assay.db", "600"],
    ["assay.db-shm", "600"],
    ["assay.db-wal", "600"],
  ]);
});

function backUp(dataDir: string, file: string) {
  const config = { dataDir, databaseUrl: null, minFreeBytes: 0, messages: "database", s3: null } as const;
  const what = { owner: "", leavesMessages: true, keyText: null, bytesPerSecond: 0 };
  return makeCopy(file, { config, system: storeSystem(), ...what });
}

test("a backup of a running store can be opened, equals it, and contains no deleted data", async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore(join(folder, "assay.db"));
  await fill(store, 300);
  await store.write((db) => db.deleteFrom("meta").where("key", "!=", "key 7").execute());
  const copyFile = join(folder, "copy.db");
  await Promise.all([backUp(folder, copyFile), fill(store, 3)]);
  expect(mode(copyFile)).toBe("600");
  const copy = await openSqliteStore(copyFile);
  const rows = await copy.read.selectFrom("meta").select("key").orderBy("key").execute();
  const keys = rows.map(({ key }) => key);
  expect([["key 7"], ["key 0", "key 1", "key 2", "key 7"]]).toContainEqual(keys); // never half of a write
  expect(await sql`pragma integrity_check`.execute(copy.read)).toMatchObject({ rows: [{ integrity_check: "ok" }] });
  expect(readFileSync(copyFile, "latin1")).not.toContain("key 299");
});

test("a backup never overwrites a file, and leaves nothing if it fails", async () => {
  const folder = temporaryFolder();
  await openSqliteStore(join(folder, "assay.db"));
  const taken = join(folder, "taken.db");
  writeFileSync(taken, "precious");
  await expect(backUp(folder, taken)).rejects.toMatchObject({ code: "conflict" });
  await expect(backUp(folder, join(folder, "assay.db"))).rejects.toMatchObject({ code: "conflict" });
  await expect(backUp(folder, join(folder, "no", "folder.db"))).rejects.toThrow("its folder does not exist");
  expect(readFileSync(taken, "utf8")).toBe("precious");
  expect(readdirSync(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
});

test("native code that cannot be loaded is reported in a sentence", () => {
  const folder = temporaryFolder();
  const addonFile = join(folder, "native", "addon.node");
  const opening = () => openDatabase(join(folder, "assay.db"), { lockWaitMs: 0, addonFile });
  expect(opening).toThrow(
    expect.objectContaining({ name: "Refusal", message: expect.stringMatching(/addon\.node: .*noexec/) }),
  );
});

test("a backup never overwrites a file that was created in the meantime", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "copy.db");
  const copying = writeCopy(file, () => writeFileSync(file, "precious"));
  await expect(copying).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("exists") });
  expect(readFileSync(file, "utf8")).toBe("precious");
  expect(readdirSync(folder)).toEqual(["copy.db"]);
});

test("a backup removes the leftovers of a killed one, but not the file of a running one", async () => {
  const folder = temporaryFolder();
  const [dead, own, running] = [999_999_999, process.pid, process.ppid].map((pid) => `copy.db.${pid}.unfinished`);
  for (const name of [dead, `${dead}-journal`, own, running]) writeFileSync(join(folder, `${name}`), "half");
  await writeCopy(join(folder, "copy.db"), (unfinished) => writeFileSync(unfinished, "whole"));
  expect(readdirSync(folder).sort()).toEqual(["copy.db", running].sort());
  expect(readFileSync(join(folder, "copy.db"), "utf8")).toBe("whole");
});

test("a long read in a thread doesn't block the main thread", async () => {
  const { readInWorker } = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  let done = false;
  const counting = sql<{ n: number }>`
    with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 2000000)
    select max(n) as n from counter`
    .execute(readInWorker)
    .finally(() => {
      done = true;
    });
  let rounds = 0;
  for (; !done; rounds++) await nextRound();
  expect((await counting).rows).toEqual([{ n: 2_000_000 }]);
  expect(rounds).toBeGreaterThan(10);
});

test("an error of a read in a thread is returned only to its caller", async () => {
  const { readInWorker } = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  const [wrong, right] = await Promise.allSettled([
    sql`select * from nowhere`.execute(readInWorker),
    sql`select 1 as one`.execute(readInWorker),
  ]);
  expect(wrong).toMatchObject({ status: "rejected", reason: { code: "SQLITE_ERROR" } });
  expect(right).toMatchObject({ status: "fulfilled", value: { rows: [{ one: 1 }] } });
});

test("a short read in a thread doesn't wait for a long one", async () => {
  const { readInWorker } = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  const ended: string[] = [];
  const long = sql`
    with recursive counter(n) as (select 1 union all select n + 1 from counter where n < 5000000)
    select max(n) as n from counter`
    .execute(readInWorker)
    .finally(() => ended.push("long"));
  const short = sql`select 1 as one`.execute(readInWorker).finally(() => ended.push("short"));
  await Promise.all([long, short]);
  expect(ended).toEqual(["short", "long"]);
});

test("the reading thread restarts after it died and after it was idle", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const reader = createThreadReader({ file, addonFile: undefined }, 1);
  await expect(reader.query("select 1 as one", [])).rejects.toThrow("unable to open");
  await openSqliteStore(file);
  for (let query = 0; query < 3; query++) {
    expect(await reader.query("select 1 as one", [])).toEqual([{ one: 1 }]);
    await new Promise((resolve) => setTimeout(resolve, 30)); // longer than its idle time
  }
  await reader.close();
});

test("a reading thread that answers while it is closed doesn't keep the process alive", async () => {
  const file = join(temporaryFolder(), "assay.db");
  await openSqliteStore(file);
  const script = fileURLToPath(new URL("closing-reader.ts", import.meta.url));
  for (let time = 0; time < 5; time++)
    expect(spawnSync(process.execPath, [script, file], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: "closed\n",
    });
});

test("cleanup ends on a file without free pages", async () => {
  const file = join(temporaryFolder(), "assay.db");
  await (await openSqliteStore(file)).close();
  const database = openDatabase(file, { lockWaitMs: 50, addonFile: undefined });
  for (const step of ["pragma journal_mode = delete", "pragma auto_vacuum = 0", "vacuum"]) database.script(step);
  database.close();
  const store = await openSqliteStore(file);
  await fill(store, 100);
  await store.write((db) => db.deleteFrom("meta").execute());
  await store.sqlite.tidy();
});

test("cleanup returns the pages of deleted rows to the disk", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  await fill(store, 2000);
  await store.write((db) => db.deleteFrom("meta").execute());
  const pages = async () =>
    (await sql<{ page_count: number }>`pragma page_count`.execute(store.read)).rows[0]?.page_count ?? 0;
  const before = await pages();
  const [tidied, written] = await Promise.all([store.sqlite.tidy(), fill(store, 1)]);
  expect([tidied, written]).toEqual([undefined, undefined]);
  expect(await pages()).toBeLessThan(before / 10);
});

test("cleanup returns the pages of merged search segments too", async () => {
  const store = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  for (let letter = 0; letter < 300; letter++)
    await insertAnalysed(store, [
      { subject: `${randomBytes(40).toString("hex")} ${letter}`, receivedAt: 1_000_000 + letter },
    ]);
  const countFree = () => store.sqlite.writeRaw((raw) => raw.all("pragma freelist_count"));
  await store.sqlite.tidy();
  expect(await countFree()).toEqual([{ freelist_count: 0 }]);
});

test("a reader starts no transaction and streams no rows", async () => {
  const { read } = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  await expect(read.transaction().execute(async () => {})).rejects.toThrow("store.write");
  const stream = async () => {
    for await (const _ of read.selectFrom("meta").selectAll().stream());
  };
  await expect(stream()).rejects.toThrow("Page by a key");
});

test("the planner's statistics don't cause a statement to be planned again on each run", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  await fill(store, 300);
  const count = async ({ read }: SqliteStore, table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(read);
    return rows[0]?.count ?? 0;
  };
  const learn = () => store.sqlite.writeRaw((raw) => raw.run("analyze"));
  await learn();
  const learned = await count(store, "sqlite_stat1");
  expect(await count(store, "sqlite_stat4")).toBeGreaterThan(0);
  await store.sqlite.tidy();
  expect(await count(store, "sqlite_stat4")).toBe(0);
  expect(await count(store, "sqlite_stat1")).toBe(learned);
  await learn();
  // Left by an earlier version.
  expect(await count(await openSqliteStore(file), "sqlite_stat4")).toBe(0);
});

test.each([
  ["select 1 from a limit ?", "select 1 from a limit ? + 0"],
  [
    "select (select 1 from a LIMIT ?), ? limit ? offset ?",
    "select (select 1 from a limit ? + 0), ? limit ? + 0 offset ?",
  ],
  ["select 1 from a limit 7", "select 1 from a limit 7"],
  ["select 1 from a where b = ? and c <= ? order by d", "select 1 from a where b = +? and c <= +? order by d"],
])("a bound value is hidden from the planner: %s", (given, prepared) => {
  expect(withValuesUnseen(given)).toBe(prepared);
  expect(withValuesUnseen(prepared)).toBe(prepared);
});

test("a value hidden from the planner keeps its type and its column's affinity", () => {
  const file = join(temporaryFolder(), "a.db");
  writeFileSync(file, "");
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  onTestFinished(database.close);
  database.script("create table a (t text, i integer, r real); insert into a values ('5', 5, 5.0)");
  for (const column of ["t", "i", "r"])
    for (const value of ["5", 5n])
      expect(database.all(`select 1 as found from a where ${column} = ? order by t`, [value])).toEqual([{ found: 1 }]);
  database.run("update a set t = ?, i = ?", [null, "6"]);
  expect(database.all("select t, i, typeof(i) as type from a")).toEqual([{ t: null, i: 6, type: "integer" }]);
});
