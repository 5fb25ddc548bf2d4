import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createGroupCommit } from "../../../../src/platform/database/engine/group-commit.ts";
import { openDatabase, type RawDb } from "../../../../src/platform/database/engine/sqlite-database.ts";
import { deferToCommit } from "../../../../src/platform/database/engine/write-context.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { openSqliteStore, temporaryFolder } from "../temporary.ts";

const openFresh = () => openSqliteStore(join(temporaryFolder(), "assay.db"));

const undisturbed = { random: randomBytes, lockTries: 1, afterCommit: async () => {} };

const put = (key: string) => (db: Db) => db.insertInto("meta").values({ key, value: "" }).execute();
const putRaw = (key: string) => (raw: RawDb) => raw.run("insert into meta values (?, '')", [key]);
const keysIn = (raw: RawDb) => raw.all<{ key: string }>("select key from meta order by key").map(({ key }) => key);
const keys = async (db: Db) =>
  (await db.selectFrom("meta").select("key").orderBy("key").execute()).map((row) => row.key);

test("every commit is flushed, foreign keys are enforced, and locks wait at most 50 ms", async () => {
  const { sqlite } = await openFresh();
  const pragma = (name: string) =>
    sqlite.writeRaw((raw) => Object.values(raw.all<object>(`pragma ${name}`)[0] ?? {})[0]);
  expect(await pragma("synchronous")).toBe(2);
  expect(await pragma("journal_mode")).toBe("wal");
  expect(await pragma("foreign_keys")).toBe(1);
  expect(await pragma("auto_vacuum")).toBe(2);
  expect(await pragma("secure_delete")).toBe(2);
  expect(await pragma("busy_timeout")).toBe(50);
});

test("a commit waits for the disk only if a caller waits for it", async () => {
  const file = join(temporaryFolder(), "assay.db");
  writeFileSync(file, "");
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  database.script("pragma journal_mode = wal; create table meta (key text, value text)");
  const levels: unknown[] = [];
  const run: typeof database.run = (statement, values) => {
    if (statement === "commit") levels.push(database.pragma("synchronous"));
    return database.run(statement, values);
  };
  const terms = { ...undisturbed, maxTogether: 10 };
  const group = createGroupCommit({ ...database, run }, terms);
  await group.writeRelaxed(put("patient"));
  await group.write(put("urgent"));
  await pause(30); // otherwise it would wait for a group
  await Promise.all([group.writeRelaxed(put("along")), group.write(put("with"))]);
  await group.writeRelaxed(put("again"));
  await group.writeRaw(putRaw("raw"));
  const [normal, full] = [1, 2];
  expect(levels).toEqual([normal, full, full, normal, full]);
  database.close();
});

test("a commit that cannot wait for the disk fails", async () => {
  const file = join(temporaryFolder(), "assay.db");
  writeFileSync(file, "");
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  database.script("create table meta (key text, value text)");
  let isBroken = false;
  const script = (text: string) => {
    if (isBroken) throw new TypeError(`broken ${text}`);
    database.script(text);
  };
  const group = createGroupCommit({ ...database, script }, { ...undisturbed, maxTogether: 1 });
  await group.writeRelaxed(put("patient"));
  isBroken = true;
  await expect(group.write(put("urgent"))).rejects.toThrow("broken pragma synchronous = full");
  await expect(group.write(put("urgent"))).rejects.toThrow("broken pragma synchronous = full");
  isBroken = false;
  await group.write(put("urgent"));
  expect(database.all("select key from meta")).toEqual([{ key: "patient" }, { key: "urgent" }]);
  database.close();
});

test("only the write that throws is undone among writes in a shared commit", async () => {
  const { write, sqlite, read } = await openFresh();
  const outcomes = await Promise.allSettled([
    write(put("first")),
    write(async (db) => {
      await put("undone")(db);
      throw new Error("no");
    }),
    sqlite.writeRaw(putRaw("second")),
    sqlite.writeRaw((raw) => {
      putRaw("undone too")(raw);
      throw new Error("no");
    }),
    write(put("third")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(await keys(read)).toEqual(["first", "second", "third"]);
});

test("raw writes in a shared commit are kept or undone separately, in order", async () => {
  const { sqlite, read } = await openFresh();
  const begun: string[] = [];
  const outcomes = await Promise.allSettled(
    ["a", "b", "broken", "c"].map((key) =>
      sqlite.writeRaw((raw) => {
        begun.push(key);
        putRaw(key)(raw);
        if (key === "broken") throw new Error("no");
        return keysIn(raw);
      }),
    ),
  );
  expect(outcomes).toMatchObject([
    { value: ["a"] },
    { value: ["a", "b"] },
    { reason: { message: "no" } },
    { value: ["a", "b", "c"] },
  ]);
  expect(begun).toEqual(["a", "b", "broken", "a", "b", "broken", "c"]);
  expect(await keys(read)).toEqual(["a", "b", "c"]);
});

test("a reader inside a write sees committed data and doesn't hang", async () => {
  const { write, read } = await openFresh();
  const seen = await write(async (db) => {
    await put("uncommitted")(db);
    return { inside: await keys(db), outside: await keys(read) };
  });
  expect(seen).toEqual({ inside: ["uncommitted"], outside: [] });
  expect(await keys(read)).toEqual(["uncommitted"]);
});

test("a raw transaction inside another is rejected", async () => {
  const { write, sqlite, read } = await openFresh();
  await expect(write(() => sqlite.writeRaw(putRaw("inside")))).rejects.toThrow("inside another");
  await expect(sqlite.writeRaw(() => sqlite.writeRaw(putRaw("inside")))).rejects.toThrow("synchronous");
  await expect(sqlite.writeRaw((raw) => raw.run("begin"))).rejects.toThrow("must not begin or end");
  await expect(write((db) => db.transaction().execute(put("inside")))).rejects.toThrow("not supported");
  await sqlite.writeRaw(putRaw("afterwards"));
  expect(await keys(read)).toEqual(["afterwards"]);
});

test("a write cannot end the transaction that it shares", async () => {
  const { sqlite, read } = await openFresh();
  const outcomes = await Promise.allSettled([
    sqlite.writeRaw(putRaw("before")),
    sqlite.writeRaw((raw) => raw.run("commit")),
    sqlite.writeRaw(putRaw("after")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await keys(read)).toEqual(["after", "before"]);
});

test("a write that awaits something other than queries is undone with an error, and the others are kept", async () => {
  const { write, read } = await openFresh();
  let late: Promise<unknown> | undefined;
  const outcomes = await Promise.allSettled([
    write(put("before")),
    write(async (db) => {
      await put("undone")(db);
      await pause(20);
      late = put("too late")(db);
      await late;
    }),
    write(put("after")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((outcomes[1] as PromiseRejectedResult).reason.message).toContain("awaited something other");
  while (late === undefined) await pause(5);
  await expect(late).rejects.toThrow("The write has ended");
  expect(await keys(read)).toEqual(["after", "before"]);
});

test("a raw write that returns a promise is rejected", async () => {
  const { sqlite } = await openFresh();
  await expect(sqlite.writeRaw(async (raw) => putRaw("key")(raw))).rejects.toThrow("synchronous");
});

test("a failed commit rejects all its writes and stores nothing, and the next one works", async () => {
  const { write, sqlite, read } = await openFresh();
  const outcomes = await Promise.allSettled([
    write(put("innocent")),
    sqlite.writeRaw((raw) => {
      raw.run("pragma defer_foreign_keys = on"); // checked at the commit
      raw.run("insert into reports values ('of no test', 0, x'')");
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await keys(read)).toEqual([]);
  await write(put("next"));
  expect(await keys(read)).toEqual(["next"]);
});

test("a full disk rejects writes, and they work again once there is space", async () => {
  const { write, sqlite, read } = await openFresh();
  const limit = (pages: number) => sqlite.writeRaw((raw) => raw.all(`pragma max_page_count = ${pages}`));
  await limit(1); // SQLite raises it to the present size
  const large = (db: Db) =>
    db
      .insertInto("meta")
      .values({ key: "large", value: "x".repeat(100_000) })
      .execute();
  await expect(write(large)).rejects.toMatchObject({ code: "overloaded", message: expect.stringContaining("full") });
  expect(await keys(read)).toEqual([]);
  await limit(1_000_000);
  await write(large);
  expect(await keys(read)).toEqual(["large"]);
});

test("a failed rollback doesn't block the queue", async () => {
  const file = join(temporaryFolder(), "assay.db");
  writeFileSync(file, "");
  const database = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  database.script("create table meta (key text, value text)");
  let isBroken = true;
  const run = (statement: string, values?: Parameters<typeof database.run>[1]) => {
    if (isBroken && /commit|rollback/.test(statement)) throw new TypeError(`broken ${statement}`);
    return database.run(statement, values);
  };
  const group = createGroupCommit({ ...database, run }, { ...undisturbed, maxTogether: 1 });
  const outcomes = await Promise.allSettled([group.writeRaw(putRaw("one")), group.writeRaw(putRaw("two"))]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: { message: "broken commit" } },
    { status: "rejected", reason: { message: expect.stringContaining("already inside a transaction") } },
  ]);
  isBroken = false;
  await group.writeRaw(putRaw("three")).catch(() => {}); // undoes what was left open
  await group.writeRaw(putRaw("four"));
  expect(database.all("select key from meta")).toContainEqual({ key: "four" });
  database.close();
});

test("a write stores nothing more after an error ended its transaction", async () => {
  const { write, sqlite, read } = await openFresh();
  const again = "insert or rollback into meta values ('key', '')";
  const stubborn = async (db: Db) => {
    await put("key")(db);
    await sql
      .raw(again)
      .execute(db)
      .catch(() => {});
    await put("behind")(db);
  };
  const stubbornRaw = (raw: RawDb) => {
    putRaw("key")(raw);
    expect(() => raw.run(again)).toThrow("UNIQUE");
    putRaw("behind")(raw);
  };
  await expect(write(stubborn)).rejects.toThrow("An earlier error ended the transaction");
  await expect(sqlite.writeRaw(stubbornRaw)).rejects.toThrow("An earlier error ended the transaction");
  await write(put("next"));
  expect(await keys(read)).toEqual(["next"]);
});

test("waiting for another process's lock doesn't delay timers", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const { write, read } = await openSqliteStore(file);
  const other = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  other.run("begin immediate");
  let settled = false;
  const writing = write(put("patient")).finally(() => {
    settled = true;
  });
  for (let timers = 0; timers < 5; timers++) await pause(10);
  expect(settled).toBe(false);
  other.run("rollback");
  await writing;
  expect(await keys(read)).toEqual(["patient"]);
  other.close();
});

test("a lock that is never released makes the write fail", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const { write } = await openSqliteStore(file, { lockTries: 2 });
  const other = openDatabase(file, { lockWaitMs: 0, addonFile: undefined });
  other.run("begin immediate");
  await expect(write(put("late"))).rejects.toMatchObject({ code: "overloaded" });
  other.run("rollback");
  await write(put("in time"));
  other.close();
});

test("a closing store completes accepted writes and accepts no more", async () => {
  const file = join(temporaryFolder(), "assay.db");
  const store = await openSqliteStore(file);
  const taken = Array.from({ length: 600 }, (_, index) => store.write(put(`key ${index}`)));
  await nextRound();
  await store.close();
  await Promise.all(taken);
  await expect(store.write(put("late"))).rejects.toThrow("closed");
  const again = await openSqliteStore(file);
  expect(await keys(again.read)).toHaveLength(600);
});

test("deferred work runs once all writes of a commit are done, but not for one that was undone", async () => {
  const { write, read } = await openFresh();
  const putLater = (key: string) => async (db: Db) => {
    deferToCommit((raw) => void raw.run("insert into meta select ?, count(*) from meta", [key]), null);
    await put(`${key} itself`)(db);
  };
  const writes = await Promise.allSettled([
    write(putLater("a")),
    write(async (db) => {
      await putLater("b")(db);
      throw new Error("undone");
    }),
    write(putLater("c")),
  ]);
  expect(writes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const rows = await read.selectFrom("meta").selectAll().where("key", "in", ["a", "b", "c"]).execute();
  const before = (await keys(read)).length - rows.length;
  expect(rows).toEqual([
    { key: "a", value: `${before}` },
    { key: "c", value: `${before + 1}` },
  ]);
  expect(() => deferToCommit(() => {}, null)).toThrow("Only a write");
});

test("deferred work of consecutive raw writes runs once, before the next write", async () => {
  const { write, sqlite } = await openFresh();
  const putTogether = (raw: RawDb, items: readonly string[]) => void putRaw(items.join("+"))(raw);
  const leave = (item: string) => sqlite.writeRaw(() => deferToCommit(putTogether, item));
  const seen = async (db: Db) => (await keys(db)).filter((key) => key.includes("mail"));
  const [, , between, , behind] = await Promise.all([
    leave("mail 1"),
    leave("mail 2"),
    write(seen),
    leave("mail 3"),
    write(seen),
  ]);
  expect(between).toEqual(["mail 1+mail 2"]);
  expect(behind).toEqual(["mail 1+mail 2", "mail 3"]);
});

for (const company of ["raw writes alone", "others too"])
  test(`failed deferred work of a raw write undoes only that write, among ${company}`, async () => {
    const { write, read, sqlite } = await openFresh();
    const mail = sqlite.writeRaw(putRaw("mail"));
    const leaving = sqlite.writeRaw((raw) => {
      putRaw("one")(raw);
      deferToCommit((atEnd) => void atEnd.run("insert into nowhere values (1)"), null);
    });
    const other = company === "others too" ? write(put("other")) : undefined;
    await expect(leaving).rejects.toThrow("no such table: nowhere");
    await Promise.all([mail, other]);
    expect(await keys(read)).toEqual(expect.arrayContaining(["mail", ...(other ? ["other"] : [])]));
    expect(await keys(read)).not.toContain("one");
  });

test("failed deferred work undoes the commit and rejects its writes, and repeats the raw ones", async () => {
  const { write, read, sqlite } = await openFresh();
  const before = await keys(read);
  const mail = sqlite.writeRaw(putRaw("mail"));
  const writes = await Promise.allSettled([
    write(put("one")),
    write(async (db) => {
      deferToCommit((raw) => void raw.run("insert into nowhere values (1)"), null);
      await put("two")(db);
    }),
  ]);
  expect(writes).toEqual(
    Array(2).fill({ status: "rejected", reason: expect.objectContaining({ message: "no such table: nowhere" }) }),
  );
  await mail;
  expect(await keys(read)).toEqual([...before, "mail"].sort());
  await write(put("three"));
  expect(await keys(read)).toContain("three");
});
