import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import {
  checkMessages,
  moveMessages,
  objectChores,
  sweepOrphans,
} from "../../../src/features/server/upkeep/objects.ts";
import { pruneBySize } from "../../../src/features/server/upkeep/prune.ts";
import { countObjectRemovals, sumObjectBytes } from "../../../src/features/tests/rows/objects.ts";
import { readRawMessage } from "../../../src/features/tests/rows/raw-messages.ts";
import { listOldTests, removeTests } from "../../../src/features/tests/rows/removal.ts";
import { writeMeta } from "../../../src/platform/database/engine/meta.ts";
import { MissingMessage, type Place } from "../../../src/platform/database/messages.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { Refusal } from "../../../src/platform/errors.ts";
import type { ObjectStore } from "../../../src/platform/system/objects.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { type S3Server, startS3Server } from "../../s3-server.ts";
import { testSystem } from "../../test-system.ts";
import { eachDialect } from "./each-dialect.ts";
import { placesOf, withMessages } from "./message-places.ts";
import { insertWorkspaces, message } from "./nouns.ts";
import { temporaryFolder } from "./temporary.ts";

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server({ pageSize: 3 });
});
afterEach(() => server.close());

const large = Buffer.from(`Subject: x\r\n\r\n${"hello ".repeat(10_000)}`);
/** Without the token of features/server/upkeep/object-owner.ts. */
const objects = () => [...server.objects.keys()].filter((key) => !key.endsWith("/sweep-token"));
const never = new AbortController().signal;

async function receive(store: Store, ids: readonly string[], bytes = large): Promise<void> {
  await createIntake(store).insert(ids.map((id) => message(id, { bytes })));
}

async function rawOf(store: Store, id: string): Promise<string | undefined> {
  const raw = await readRawMessage(inWorkspace(store.read, "wsp_a"), store.messages, id);
  return raw && Buffer.from(raw.bytes).toString();
}

async function runRemovals(store: Store): Promise<void> {
  const [removals] = objectChores({ store, system: testSystem({}) });
  await removals?.run(never, serveOrThrow);
}

eachDialect("raw messages outside the database", (open) => {
  async function openIn(place: Place) {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const messagesIn = placesOf(server);
    return { store: withMessages(store, messagesIn(place)), messagesIn };
  }

  test("raw messages outside the database are read unchanged", async () => {
    const { store } = await openIn("s3");
    await receive(store, ["t1", "t2"]);
    expect(await rawOf(store, "t1")).toBe(large.toString());
    const rows = await store.read.selectFrom("raw_messages").selectAll().execute();
    expect(rows.map(({ bytes, stored_in }) => [bytes.length, stored_in])).toEqual([
      [0, "s3"],
      [0, "s3"],
    ]);
    expect(new Set(rows.map(({ object_key }) => object_key)).size).toBe(2);
    const sum = rows.reduce((total, { object_bytes }) => total + Number(object_bytes), 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(large.length);
    expect(await sumObjectBytes(store.read)).toBe(sum);
  });

  test("raw messages outside the database count in the size limit for deleting old tests", async () => {
    const { store } = await openIn("s3");
    // On PostgreSQL, earlier tests have left space that isn't returned.
    const empty = await store.readTakenBytes();
    await receive(store, ["t1"], randomBytes(40_000_000));
    await store.write((db) => db.updateTable("tests").set({ due_at: null }).execute());
    const [old] = await listOldTests(store.read, { after: "", before: null, limit: 1 });
    expect(old?.bytes).toBeGreaterThan(40_000_000);
    const terms = { store, system: testSystem({}), stopping: never, serve: serveOrThrow, onPruned() {} };
    expect(await store.readTakenBytes()).toBeLessThan(empty + 5_000_000);
    await pruneBySize(terms, 20_000_000);
    expect((await rawOf(store, "t1")) === undefined).toBe(true);
  });

  test("raw messages outside the database are rejected without a row while the store is down", async () => {
    const { store } = await openIn("s3");
    for (const how of ["refuse", "fail", "hang"] as const) {
      server.misbehave(how);
      await expect(receive(store, ["t1"])).rejects.toThrow("temporarily unavailable");
    }
    expect(await store.read.selectFrom("tests").selectAll().execute()).toEqual([]);
    expect(await store.messages.findTrouble()).toContain("did not respond");
  });

  test("raw messages outside the database leave no object if a check rejects them", async () => {
    const { store } = await openIn("s3");
    const refuse = async () => {
      throw new Refusal("plan_limit", "No room.");
    };
    const insert = createIntake(store).insert([message("t1", { bytes: large })], refuse);
    await expect(insert).rejects.toThrow("No room.");
    expect(server.asked.filter((asked) => asked.startsWith("PUT"))).toHaveLength(1);
    expect(server.objects.size).toBe(0);
  });

  test("raw messages outside the database that are missing or damaged are reported, unlike unreadable ones", async () => {
    const { store } = await openIn("s3");
    await receive(store, ["t1"]);
    server.misbehave("fail");
    const outage = await rawOf(store, "t1").catch((error) => error);
    expect(outage).toBeInstanceOf(Refusal);
    expect(outage).not.toBeInstanceOf(MissingMessage);
    server.misbehave(null);
    const [kept] = server.objects.values();
    kept?.bytes.fill(0, 0, 1);
    await expect(rawOf(store, "t1")).rejects.toThrow("checksum is wrong");
    server.objects.clear();
    await expect(rawOf(store, "t1")).rejects.toThrow("The raw message is missing from the S3 store.");
    expect(await checkMessages({ store, system: testSystem({}) })).toEqual({ messages: 1, missing: ["t1"] });
  });

  test("raw messages outside the database that an S3 store returns wrong are retried, because a proxy may have answered", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const system = testSystem({});
    const messages = placesOf(server, system)("s3");
    await receive(withMessages(store, messages), ["t1"]);
    const [row] = await store.read.selectFrom("raw_messages").selectAll().execute();
    if (!row) throw new Error("No message is stored.");
    const [kept] = server.objects.values();
    const sound = Buffer.from(kept?.bytes ?? []);
    const openIt = () => messages.open(row, "patiently").catch((error) => error);
    kept?.bytes.fill(0, 0, 1);
    expect(await openIt()).toMatchObject({ code: "overloaded" });
    expect(await messages.open(row).catch((error) => error)).toBeInstanceOf(MissingMessage);
    expect(system.logged).toMatchObject([
      { message: "raw messages are unavailable", fields: { problem: expect.stringContaining("another body") } },
    ]);
    system.advance(9 * 60_000);
    expect(await openIt()).toMatchObject({ code: "overloaded" });
    kept?.bytes.set(sound);
    expect(await openIt()).toMatchObject({ bytes: sound });

    // The time begins again with the next wrong body.
    kept?.bytes.fill(0, 0, 1);
    system.advance(9 * 60_000);
    expect(await openIt()).not.toBeInstanceOf(MissingMessage);
    system.advance(10 * 60_000);
    expect(await openIt()).toBeInstanceOf(MissingMessage);
    expect(String(await openIt())).toContain("checksum is wrong");
  });

  test("raw messages outside the database are deleted after their rows, whatever deleted those", async () => {
    const { store } = await openIn("s3");
    await receive(store, ["t1", "t2", "t3"]);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t1"]));
    expect([server.objects.size, await countObjectRemovals(store.read)]).toEqual([3, 1]);
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", "wsp_a").execute());
    expect(await countObjectRemovals(store.read)).toBe(3);
    server.misbehave("fail");
    await expect(runRemovals(store)).rejects.toThrow("503");
    server.misbehave(null);
    await runRemovals(store);
    expect([objects().length, await countObjectRemovals(store.read)]).toEqual([0, 0]);
    expect(store.messages.counts).toEqual({ written: 3, failedWrites: 0, deleted: 3, swept: 0 });
  });

  test("raw messages without a row in the database are cleaned up, and no others", async () => {
    const { store } = await openIn("s3");
    await receive(store, ["t1", "t2", "t3", "t4"]);
    for (const id of ["lost1", "lost2"]) await store.messages.put(id, { encoding: 0, bytes: large });
    server.objects.set("assay/notes.txt", { bytes: large, modifiedAt: 0 });
    for (const kept of server.objects.values()) kept.modifiedAt = Date.now() - 3_600_000;
    // Ages are measured by the store's clock. This one is wrong.
    const system = testSystem({ now: Date.now() + 9 * 86_400_000 });
    expect(await sweepOrphans({ store, system }, { olderThanMs: 7_200_000, serve: serveOrThrow })).toMatchObject({
      removed: 0,
    });
    expect(await sweepOrphans({ store, system }, { olderThanMs: 60_000, serve: serveOrThrow })).toEqual({
      objects: 6,
      removed: 2,
      paused: [],
    });
    expect(objects()).toHaveLength(5);
    expect(store.messages.counts.swept).toBe(2);
    expect((await checkMessages({ store, system })).missing).toEqual([]);
  });

  test("raw messages outside the database are not cleaned up after a gap in time that may be a wrong clock", async () => {
    const { store } = await openIn("s3");
    await store.messages.put("lost1", { encoding: 0, bytes: large });
    for (const kept of server.objects.values()) kept.modifiedAt = Date.now() - 3 * 86_400_000;
    const system = testSystem({ now: Date.now() });
    const orphans = objectChores({ store, system }).find(({ id }) => id === "object-orphans");
    await store.write((db) => writeMeta(db, "clock", JSON.stringify({ at: Date.now() - 3 * 86_400_000, gap: null })));
    await orphans?.run(never, serveOrThrow);
    expect(objects()).toHaveLength(1);
    await store.write((db) => writeMeta(db, "clock", JSON.stringify({ at: Date.now(), gap: null })));
    await orphans?.run(never, serveOrThrow);
    expect(objects()).toHaveLength(0);
  });

  test("raw messages outside the database with a looping list do not keep the cleanup running forever", async () => {
    const { store } = await openIn("s3");
    const list = async (cursor: string | null) => ({
      objects: [],
      listedAt: Date.now(),
      next: cursor === "a" ? "b" : "a",
    });
    const circling = { ...store, messages: { ...store.messages, s3: { list } as unknown as ObjectStore } };
    await expect(
      sweepOrphans({ store: circling, system: testSystem({}) }, { olderThanMs: 0, serve: serveOrThrow }),
    ).rejects.toThrow("does not end");
  });

  test("raw messages outside the database are moved to a store and back, and an interrupted move continues", async () => {
    const { store, messagesIn } = await openIn("database");
    const ids = ["t1", "t2", "t3", "t4", "t5"];
    await receive(store, ids);
    const system = testSystem({});
    const move = (to: Place) => moveMessages({ store: withMessages(store, messagesIn(to)), system }, to, () => {});
    const reader = withMessages(store, messagesIn("s3"));
    server.misbehave("refuse", 3);
    await expect(move("s3")).rejects.toThrow("temporarily unavailable");
    const rest = await move("s3");
    expect(rest.moved).toBeGreaterThan(0);
    expect(server.objects.size).toBe(5);
    await runRemovals(reader);
    expect(
      (await sweepOrphans({ store: reader, system }, { olderThanMs: -1_000_000, serve: serveOrThrow })).removed,
    ).toBe(0);
    for (const id of ids) expect(await rawOf(reader, id)).toBe(large.toString());
    await move("database");
    await runRemovals(reader);
    expect(objects()).toHaveLength(0);
    expect(await rawOf(store, "t5")).toBe(large.toString());
  });

  test("raw messages outside the database in the directory of an earlier version are read, and moved without touching a file", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const folder = temporaryFolder();
    const kept = withMessages(store, placesOf(server, undefined, folder)("s3"));
    await receive(kept, ["t1", "t2"]);
    for (const [key, { bytes }] of server.objects) {
      const name = basename(key);
      mkdirSync(join(folder, name.slice(-2)), { recursive: true });
      writeFileSync(join(folder, name.slice(-2), name), bytes);
    }
    server.objects.clear();
    await store.write((db) => db.updateTable("raw_messages").set({ stored_in: "directory" }).execute());
    expect(await rawOf(kept, "t1")).toBe(large.toString());
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t2"]));
    const moved = await moveMessages({ store: kept, system: testSystem({}) }, "database", () => {});
    expect(moved).toEqual({ moved: 1, lost: 0 });
    await runRemovals(kept);
    expect(await countObjectRemovals(store.read)).toBe(0);
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes("."))).toHaveLength(2);
    expect(await rawOf(store, "t1")).toBe(large.toString());
  });
});
