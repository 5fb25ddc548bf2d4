import { copyFileSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toBacklogRow, toRow } from "../../../../src/features/server/doctor/database.ts";
import { checkPostgres, checkSqlite } from "../../../../src/platform/database/engine/check-database.ts";
import { migrations } from "../../../../src/platform/database/migrations/list.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { placeMigratedFile } from "../../../platform/database/migrated-file.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-damage-"));
const sound = join(folder, "assay.db");
let pages: { name: string; type: string; rootpage: number }[];
let pageSize: number;

beforeAll(async () => {
  await placeMigratedFile(sound);
  const database = new Database(sound);
  const insert = database.prepare("insert into meta (key, value) values (?, ?)");
  database.transaction(() => {
    for (let row = 0; row < 3_000; row++) insert.run(`setting:${row}`, "x".repeat(100));
  })();
  database.pragma("wal_checkpoint(truncate)");
  pages = database.prepare("select name, type, rootpage from sqlite_schema where rootpage > 0").all() as typeof pages;
  pageSize = Number(database.pragma("page_size", { simple: true }));
  database.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

function countdown(ms: number): () => number {
  const end = performance.now() + ms;
  return () => end - performance.now();
}

function damaged(name: string, harm: (file: string) => void): string {
  const file = join(folder, name);
  copyFileSync(sound, file);
  harm(file);
  return file;
}

function overwrite(file: string, page: number, offset = 0): void {
  writeSync(openSync(file, "r+"), Buffer.alloc(64, 0xa5), 0, 64, (page - 1) * pageSize + offset);
}

const rowOf = async (file: string, withinMs = 10_000) =>
  toRow(await checkSqlite(file, migrations.length, countdown(withinMs)), false);
const rootOf = (name: string) => pages.find((one) => one.name === name)?.rootpage ?? 0;

describe("the server check of the database", () => {
  test("the server check of the database shows the version and size of an intact one, and leaves no files", async () => {
    const before = readdirSync(folder);
    expect(await rowOf(sound)).toMatchObject({
      id: "database",
      state: "green",
      says: expect.stringMatching(/^SQLite 3\.\d+\.\d+, \d+ MB\. All tables and indexes are intact\.$/),
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  test("the server check of the database finds a damaged table page, a damaged index page, and a truncated file, and says how to restore", async () => {
    const files = [
      damaged("table.db", (file) => overwrite(file, rootOf("meta"))),
      damaged("index.db", (file) => overwrite(file, rootOf("tests_due"))),
      damaged("cut.db", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))),
      damaged("header.db", (file) => overwrite(file, 1)),
    ];
    for (const file of files) {
      const row = await rowOf(file);
      expect(row).toMatchObject({ id: "database", state: "red", says: expect.stringContaining(file) });
      expect(row.fix).toContain("assay restore");
    }
  });

  test("the server check of the database says how much was checked if there is no time for everything", async () => {
    const row = await rowOf(sound, 0);
    expect(row.state).toBe("grey");
    expect(row.says).toMatch(/0 of \d+ tables are intact\. The others were not checked/);
  });

  test("the server check of the database counts the waiting messages, and says if the backlog is full", async () => {
    const file = damaged("waiting.db", (copy) => {
      const database = new Database(copy);
      database.pragma("foreign_keys = off");
      const insert = database.prepare(
        "insert into tests (id, workspace_id, status, received_at, recipients, size_bytes, tries_alone, attempts, due_at) values (?, 'wsp_a', 'queued', 1, '[]', 1, 0, 0, 1)",
      );
      for (const id of ["t1", "t2"]) insert.run(id);
      database.close();
    });
    const backlogOf = async (path: string, most: number) =>
      toBacklogRow(await checkSqlite(path, migrations.length, countdown(10_000)), most);
    expect(await backlogOf(sound, 2)).toMatchObject({
      state: "green",
      says: expect.stringMatching(/^No message waits/),
    });
    expect(await backlogOf(file, 3)).toMatchObject({ state: "green", says: expect.stringMatching(/^2 messages wait/) });
    expect(await backlogOf(file, 2)).toMatchObject({
      state: "red",
      fix: expect.stringMatching(/^Wait until some are analyzed/),
    });
    expect(await backlogOf(join(folder, "none.db"), 2)).toMatchObject({ state: "grey" });
  });

  test("the server check of the database recognizes a database that does not exist yet, and an unreachable PostgreSQL", async () => {
    expect((await rowOf(join(folder, "none.db"))).state).toBe("grey");
    const away = toRow(await checkPostgres("postgres://a:b@127.0.0.1:9/x", 1, 1_000), true);
    expect(away).toMatchObject({ state: "red", fix: expect.stringContaining("ASSAY_DATABASE_URL") });
  });
});

eachDialect(
  "the server check on a damaged database",
  (open, dialect) => {
    test("the server check on a damaged database doesn't take an empty database for an intact one", async () => {
      const location = await open.location();
      const reading =
        "databaseUrl" in location
          ? await checkPostgres(location.databaseUrl, 1, 5_000)
          : await checkSqlite(location.databaseFile, 1, countdown(5_000));
      expect(toRow(reading, dialect === "postgres").state).toBe("grey");
    });

    if (dialect === "sqlite") return;

    test.each(["meta", "tests"])(
      "the server check on a damaged database names the damage that PostgreSQL finds in %s",
      async (table) => {
        const { databaseUrl } = (await open.location()) as { databaseUrl: string };
        await withClient(databaseUrl, async (client) => {
          await client.query("create table migrations (name text)");
          await client.query("create table meta (key text, value text)");
          await client.query("create table tests (due_at bigint)");
          await client.query(`drop table ${table}`);
          await client.query(
            `create function damaged() returns bigint language plpgsql as
             $$ begin raise exception 'invalid page in block 3' using errcode = 'XX001'; end $$`,
          );
          await client.query(
            `create view ${table} as select 'secret_key_fingerprint' as key, damaged()::text as value, damaged() as due_at`,
          );
        });
        const row = toRow(await checkPostgres(databaseUrl, 1, 5_000), true);
        expect(row).toMatchObject({
          state: "red",
          says: "The PostgreSQL database is damaged: invalid page in block 3",
          fix: expect.stringMatching(/^Stop Assay, restore your newest backup with assay restore/),
        });
      },
    );
  },
  "without-schema",
);

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await work(client).finally(() => client.end());
}
