import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { deferToCommit } from "../../../src/platform/database/engine/write-context.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { eachDialect } from "./each-dialect.ts";
import { storeSystem } from "./store-system.ts";
import { temporaryFolder } from "./temporary.ts";

const serverUrl = inject("postgresUrl");

eachDialect("both databases", (open, dialect) => {
  test("both databases reject a write inside another write", async () => {
    const { write } = await open();
    await expect(write(() => write(async () => 1))).rejects.toThrow("inside another");
    expect(await write(async () => 1)).toBe(1);
  });

  test("both databases reject a transaction inside a write", async () => {
    const { write } = await open();
    await expect(write((db) => db.transaction().execute(async () => 1))).rejects.toThrow("not supported");
  });

  test("both databases reject a query after its write has ended", async () => {
    const { write } = await open();
    const kept = await write(async (db) => ({ db }));
    await expect(kept.db.selectFrom("meta").selectAll().execute()).rejects.toThrow("The write has ended");
  });

  test("both databases return counts and sums as numbers", async () => {
    const { read } = await open();
    const counted = sql`select count(*) as c, sum(attempts) as s, coalesce(max(due_at), 0) as m from tests`;
    expect((await counted.execute(read)).rows).toEqual([{ c: 0, s: null, m: 0 }]);
  });

  test("both databases show by their change mark whether anything was committed", async () => {
    const { read, write, readChangeMark } = await open();
    const before = await readChangeMark();
    await sql`select 1`.execute(read);
    // PostgreSQL counts what other databases of the server commit, too.
    if (dialect === "sqlite") expect(await readChangeMark()).toBe(before);
    await write((db) => db.insertInto("meta").values({ key: "a", value: "b" }).execute());
    expect(await readChangeMark()).not.toBe(before);
  });

  if (dialect === "sqlite") return;

  test("both databases survive the loss of connections", async () => {
    const store = await open();
    const end = (db: typeof store.read) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`.execute(db);
    await expect(store.write(end)).rejects.toMatchObject({ code: "overloaded" });
    await expect(end(store.read)).rejects.toMatchObject({ code: "overloaded" });
    expect((await sql`select 1 as one`.execute(store.read)).rows).toEqual([{ one: 1 }]);
    expect(await store.write(async (db) => (await sql`select 2 as two`.execute(db)).rows)).toEqual([{ two: 2 }]);
  });

  test("both databases run no deferred work inside a commit", async () => {
    const store = await open();
    const leaving = store.write(async (db) => {
      await db.insertInto("meta").values({ key: "left", value: "" }).execute();
      deferToCommit(() => {}, null);
    });
    await expect(leaving).rejects.toThrow("must not defer work");
    expect(await store.read.selectFrom("meta").where("key", "=", "left").selectAll().execute()).toEqual([]);
  });
});

describe.skipIf(serverUrl === null)("an unreachable PostgreSQL", () => {
  const url = serverUrl ?? "";

  test("an unreachable PostgreSQL is reported in a sentence", async () => {
    const nowhere = `postgres://assay@localhost/x?host=${encodeURIComponent(join(temporaryFolder(), "none"))}`;
    await expect(openStore({ databaseUrl: nowhere }, storeSystem())).rejects.toMatchObject({
      name: "Refusal",
      code: "overloaded",
      message: expect.stringContaining("cannot be reached"),
    });
    const unknown = new URL(url);
    unknown.pathname = "/no_such_database";
    await expect(openStore({ databaseUrl: unknown.href }, storeSystem())).rejects.toThrow(
      'refused the connection: database "no_such_database" does not exist',
    );
  });

  test("an unreachable PostgreSQL is waited for at the start of the server, which says so once", async () => {
    const folder = join(temporaryFolder(), "later");
    const later = new URL(url);
    later.searchParams.set("host", folder);
    const lines: string[] = [];
    const warn = (line: string) => {
      lines.push(line);
      symlinkSync(new URL(url).searchParams.get("host") ?? "", folder);
    };
    const system = { ...storeSystem(), log: { ...storeSystem().log, warn } };
    later.pathname = "/no_such_database";
    const opening = openStore({ databaseUrl: later.href }, system, { patientMs: 60_000 });
    await expect(opening).rejects.toThrow('database "no_such_database" does not exist');
    expect(lines).toEqual(["PostgreSQL cannot be reached; waiting for it"]);
  });

  test("an unreachable PostgreSQL ends the start after a minute", async () => {
    const nowhere = `postgres://assay@localhost/x?host=${encodeURIComponent(join(temporaryFolder(), "none"))}`;
    let now = 0;
    const system = { ...storeSystem(), now: () => (now += 20_000) };
    await expect(openStore({ databaseUrl: nowhere }, system, { patientMs: 60_000 })).rejects.toThrow(
      "cannot be reached",
    );
    expect(now).toBeLessThan(120_000);
  });
});
