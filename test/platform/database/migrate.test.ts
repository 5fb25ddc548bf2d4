import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { requireSpace } from "../../../src/platform/database/engine/sqlite-files.ts";
import { migrations } from "../../../src/platform/database/migrations/list.ts";
import type { Migration } from "../../../src/platform/database/migrations/migration.ts";
import type { UpgradeWatch } from "../../../src/platform/database/migrations/upgrade.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { testSystem } from "../../test-system.ts";
import { eachDialect } from "./each-dialect.ts";
import { openSqliteStore, temporaryFolder } from "./temporary.ts";

const addsTable = (name: string): Migration => ({
  name,
  statements: ({ integer, strict }) => [`create table "${name}" (a ${integer}) ${strict}`],
});
const newer = [...migrations, addsTable("9001-later")];
const countRows = async (db: Db, table: string) =>
  (await sql`select * from ${sql.table(table)}`.execute(db)).rows.length;

eachDialect(
  "migrations",
  (open, dialect) => {
    test("migrations run once, even if two processes start at the same time", async () => {
      const stores = await Promise.all([open({ migrations: newer }), open({ migrations: newer })]);
      for (const { read } of stores) {
        const rows = await read.selectFrom("migrations").select("name").orderBy("name").execute();
        expect(rows.map(({ name }) => name)).toEqual(newer.map(({ name }) => name));
      }
    });

    test("migrations that fail leave nothing, and the old data still works", async () => {
      await open();
      const broken: Migration = {
        name: "9001-broken",
        statements: () => ["create table half_done (a integer)", "insert into no_such_table values (1)"],
      };
      const opening = open({ migrations: [...migrations, broken] });
      await expect(opening).rejects.toThrow("no_such_table");
      await expect(opening).rejects.toMatchObject({ details: { needsOperator: true } });
      const store = await open();
      await expect(countRows(store.read, "half_done")).rejects.toThrow("half_done");
      await open({ migrations: newer });
    });

    test("migrations reject a newer database", async () => {
      const store = await open({ migrations: newer });
      await store.close();
      await expect(open()).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("newer") });
    });

    test("migrations report their steps and expected duration", async () => {
      const told: string[] = [];
      const watch: UpgradeWatch = {
        begin: async ({ steps, expectedMs, tests }) => {
          told.push(...steps.map(({ name }) => `plan ${name}`), `${tests} tests`);
          expect(expectedMs).toBeGreaterThan(0);
        },
        step: (name) => void told.push(name),
        end: async () => void told.push("end"),
      };
      await (await open({ watch })).close();
      expect(told.filter((one) => one.startsWith("plan"))).toEqual([]);
      told.length = 0;
      await (await open({ migrations: newer, watch })).close();
      const copy = dialect === "sqlite" ? ["copy"] : [];
      const steps = [...copy, "9001-later"];
      expect(told).toEqual([...steps.map((name) => `plan ${name}`), "0 tests", ...steps, "end"]);
    });

    test.skipIf(dialect === "sqlite")("migrations wait for another process, and say so", async () => {
      await open();
      const location = await open.location();
      const url = "databaseUrl" in location ? location.databaseUrl : "";
      const other = new pg.Client({ connectionString: url });
      await other.connect();
      await other.query(`select pg_advisory_lock(${0x61_73_73_61_7a})`);
      const system = testSystem();
      const opening = openStore(location, system, { migrations: newer });
      const said = () => system.logged.map(({ message }) => message);
      await vi.waitFor(() => expect(said()).toContain("another process is preparing the database; waiting for it"));
      expect(said()).not.toContain("migrated the database");
      await other.end();
      await (await opening).close();
      expect(said()).toContain("migrated the database");
    });

    test("migrations reject a database whose migration was different", async () => {
      await (await open({ migrations: newer })).close();
      const changed = { ...addsTable("other"), name: "9001-later" };
      await expect(open({ migrations: [...migrations, changed] })).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("unreleased"),
        details: { needsOperator: true },
      });
    });

    test(`migrations create the columns of the schema on ${dialect}`, async () => {
      const { write } = await open();
      const row = { due_at: 2 ** 40, claimed_by: "é", claimed_until: null, attempts: 0 };
      const chore = { id: "c", ...row, last_started_at: null, last_finished_at: null, last_error: null };
      await write((db) => db.insertInto("chores").values(chore).execute());
      expect(await write((db) => db.selectFrom("chores").selectAll().execute())).toEqual([chore]);
    });
  },
  "without-schema",
);

describe("a SQLite file", () => {
  const filesOf = (folder: string) =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "base64")]));

  test("a SQLite file that is newer is not changed, whether closed or in use", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    const inUse = await openSqliteStore(file, { migrations: newer });
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "conflict" });
    await inUse.close();
    const before = filesOf(folder);
    await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "conflict" });
    expect(filesOf(folder)).toEqual(before);
    expect(Object.keys(before)).toEqual(["assay.db"]);
  });

  test("a SQLite file is copied before a migration, and the last two copies are kept", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    const names = ["9001-one", "9002-two", "9003-three"];
    const upTo = (count: number) => [...migrations, ...names.slice(0, count).map(addsTable)];
    for (let count = 0; count <= names.length; count++) {
      const store = await openSqliteStore(file, { migrations: upTo(count) });
      await store.close();
    }
    expect(readdirSync(folder).sort()).toEqual(["assay.db", "assay.db.before-9002-two", "assay.db.before-9003-three"]);
    const copy = await openSqliteStore(`${file}.before-9003-three`, { migrations: upTo(2) });
    expect(await countRows(copy.read, "9002-two")).toBe(0);
    await expect(countRows(copy.read, "9003-three")).rejects.toThrow("no such table");
  });

  test("an upgrade that is interrupted between two migrations keeps only the copy from before it", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    const names = ["9001-one", "9002-two", "9003-three"];
    await (await openSqliteStore(file)).close();
    for (const interrupted of [...names.slice(1), null]) {
      const step = (name: string) => {
        if (name === interrupted) throw new Error("killed");
      };
      const watch: UpgradeWatch = { begin: async () => {}, step, end: async () => {} };
      const opening = openSqliteStore(file, { migrations: [...migrations, ...names.map(addsTable)], watch });
      if (interrupted === null) await (await opening).close();
      else await expect(opening).rejects.toThrow("killed");
    }
    expect(readdirSync(folder).sort()).toEqual(["assay.db", "assay.db.before-9001-one"]);
    const later = [...migrations, ...[...names, "9004-four"].map(addsTable)];
    await (await openSqliteStore(file, { migrations: later })).close();
    expect(readdirSync(folder)).toContain("assay.db.before-9004-four");
  });

  test("a SQLite file is copied without changing other files next to it", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    await (await openSqliteStore(file)).close();
    const kept = ["restore-1", "restore-2", "restore-2-wal", "restore-3", "zebra", "0000"];
    for (const ending of kept) writeFileSync(`${file}.before-${ending}`, "kept");
    await (await openSqliteStore(file, { migrations: [...migrations, addsTable("9001-one")] })).close();
    const after = readdirSync(folder).filter((name) => name !== "assay.db");
    expect(after.sort()).toEqual([...kept, "9001-one"].map((ending) => `assay.db.before-${ending}`).sort());
  });

  test("a SQLite file that is newer names the copy that this version can restore", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    const names = ["9001-one", "9002-two"];
    const upTo = (count: number) => [...migrations, ...names.slice(0, count).map(addsTable)];
    for (const count of [0, 1, 2]) await (await openSqliteStore(file, { migrations: upTo(count) })).close();
    const older = openSqliteStore(file, { migrations: upTo(1) });
    await expect(older).rejects.toThrow(`run: assay restore ${file}.before-9002-two.`);
    await expect(openSqliteStore(file)).rejects.toThrow(`run: assay restore ${file}.before-9001-one.`);
    rmSync(`${file}.before-9001-one`);
    writeFileSync(`${file}.before-9000-damaged`, "not a database");
    await expect(openSqliteStore(file)).rejects.toThrow("restore a backup from before the upgrade");
  });

  test("a SQLite file of another version is not copied again at each attempt", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    await (await openSqliteStore(file, { migrations: newer })).close();
    const changed = { ...addsTable("other"), name: "9001-later" };
    const next = [...migrations, changed, addsTable("9002-next")];
    await expect(openSqliteStore(file, { migrations: next })).rejects.toThrow("unreleased");
    expect(readdirSync(folder)).toEqual(["assay.db"]);
  });

  test("a SQLite file needs 1.2 times its size of free disk space to be copied", () => {
    expect(() => requireSpace(100_000_000, 120_000_000)).not.toThrow();
    expect(() => requireSpace(100_000_000, 119_999_999)).toThrow(
      "needs 120 MB of free disk space. Only 119 MB is free.",
    );
  });

  test("what a failed upgrade copied takes up no space at the next one", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "assay.db");
    await (await openSqliteStore(file)).close();
    writeFileSync(`${file}.before-9001-later`, "from an upgrade that failed");
    writeFileSync(`${file}.before-9001-later.${process.pid}.unfinished`, "from one that was killed");
    truncateSync(file, 4e12); // sparse, and larger than the disk
    await expect(openSqliteStore(file, { migrations: newer })).rejects.toThrow("Free up space");
    expect(readdirSync(folder)).toEqual(["assay.db"]);
  });

  test("a SQLite file that is not a database is rejected in a sentence", async () => {
    const file = join(temporaryFolder(), "assay.db");
    writeFileSync(file, "Dear diary, this is not a database. ".repeat(10));
    await expect(openSqliteStore(file)).rejects.toThrow("is not a SQLite database");
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  test("a SQLite file in a read-only folder is rejected in a sentence", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    await expect(openSqliteStore(join(folder, "file", "assay.db"))).rejects.toMatchObject({
      name: "Refusal",
      message: expect.stringMatching(/cannot be written: .*\.$/),
    });
    mkdirSync(join(folder, "assay.db"));
    await expect(openSqliteStore(join(folder, "assay.db"))).rejects.toMatchObject({ name: "Refusal" });
  });
});
