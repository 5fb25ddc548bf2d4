import { expect, test } from "vitest";
import { appendEntry, type NewEntry } from "../../../../src/platform/audit/rows/append.ts";
import { listChains, listEntries } from "../../../../src/platform/audit/rows/log.ts";
import { trimChain } from "../../../../src/platform/audit/rows/trim.ts";
import { verifyChain } from "../../../../src/platform/audit/rows/verify.ts";
import { serverChain, toSentence } from "../../../../src/platform/audit/rules/entry.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../database/each-dialect.ts";
import { insertWorkspaces } from "../../database/nouns.ts";

const dayMs = 86_400_000;
const chain = "wsp_01jd4m3xk2v9q8w7e6r5t4y3z2";

function anEntry(number: number, at = number): NewEntry {
  return {
    at,
    action: "token.create",
    actor_type: "person",
    actor_id: "usr_1",
    actor_name: "Ann\nBob",
    actor_email: null,
    object_kind: "token",
    object_id: `tok_${number}`,
    object_name: `ci ${number}`,
    outcome: "done",
    times: 1,
    address: "192.0.2.1",
    details: "{}",
  };
}

async function append(store: Store, numbers: readonly number[], at?: (number: number) => number): Promise<void> {
  for (const number of numbers) await store.write((db) => appendEntry(db, [chain], anEntry(number, at?.(number))));
}

const verify = async (store: Store) => (await verifyChain({ db: store.read, chain })).broken;
const list = async (store: Store) => await listEntries({ db: store.read, chain }, {}, { limit: 100 });

eachDialect("the audit log", (open) => {
  test("the audit log verifies its entries, and its start is recorded in the server's log", async () => {
    const store = await open();
    await append(store, [1, 2, 3]);
    const verdict = await verifyChain({ db: store.read, chain });
    expect(verdict).toMatchObject({ entries: 3, last: 3, broken: null });
    expect(await listChains(store.read)).toEqual([serverChain, chain]);
    const [begun] = await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 1 });
    expect(begun).toMatchObject({ action: "audit.start", object_id: chain });
  });

  test("the audit log names the workspace whose log starts, in the entry of its deletion too", async () => {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, chain);
      await db.updateTable("workspaces").set({ name: "Good shop" }).where("id", "=", chain).execute();
    });
    await append(store, [1]);
    const gone = { ...anEntry(1), object_kind: "workspace", object_id: "wsp_gone", object_name: "Old shop" };
    await store.write((db) => appendEntry(db, ["wsp_gone"], gone));
    const entries = await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 10 });
    expect(entries.map(toSentence)).toEqual([
      "Assay started the audit log of the workspace “Old shop”",
      "Assay started the audit log of the workspace “Good shop”",
    ]);
  });

  const damages: readonly (readonly [string, (db: Db) => Promise<unknown>, number])[] = [
    ["a changed byte", (db) => change(db, 2, { object_name: "cI 2" }), 2],
    ["a changed time", (db) => change(db, 4, { at: 5 }), 4],
    ["a changed last entry", (db) => change(db, 5, { details: '{"x":1}' }), 5],
    ["a removed entry", (db) => remove(db, 3), 3],
    ["a removed first entry", (db) => remove(db, 1), 1],
    ["a removed end", (db) => remove(db, 5), 5],
    ["two entries in the wrong order", (db) => swap(db, 2, 3), 2],
    ["an entry copied to the end", (db) => copy(db, 5, 6), 6],
    ["all entries removed", (db) => db.deleteFrom("audit_log").where("chain", "=", chain).execute(), 1],
    ["a cut end", (db) => db.deleteFrom("audit_log").where("chain", "=", chain).where("seq", ">", 2).execute(), 3],
    ["a removed head", (db) => db.deleteFrom("audit_heads").where("chain", "=", chain).execute(), 1],
  ];

  test.each(damages)("the audit log names the first broken entry after %s", async (_, damage, entry) => {
    const store = await open();
    await append(store, [1, 2, 3, 4, 5]);
    expect(await verify(store)).toBeNull();
    await store.write(damage);
    expect(await verify(store)).toMatchObject({ entry });
  });

  test("the audit log continues after its head was removed, and the server's log shows it", async () => {
    const store = await open();
    await append(store, [1, 2]);
    await store.write((db) => db.deleteFrom("audit_heads").where("chain", "=", chain).execute());
    await append(store, [3]);
    expect(await verifyChain({ db: store.read, chain })).toMatchObject({ last: 3, broken: null });
    const begun = await listEntries({ db: store.read, chain: serverChain }, { action: "audit.start" }, { limit: 5 });
    expect(begun).toHaveLength(2);
  });

  test("the audit log reports a chain that was removed completely", async () => {
    const store = await open();
    await append(store, [1]);
    await store.write(async (db) => {
      await db.deleteFrom("audit_log").where("chain", "=", chain).execute();
      await db.deleteFrom("audit_heads").where("chain", "=", chain).execute();
    });
    expect(await listChains(store.read)).toContain(chain);
    expect(await verify(store)).not.toBeNull();
  });

  test("the audit log stays one valid chain if two processes append at the same time", async () => {
    const stores = [await open(), await open()];
    const writes = Array.from({ length: 40 }, (_, index) =>
      stores[index % 2]?.write((db) => appendEntry(db, [chain, serverChain], anEntry(index))),
    );
    await Promise.all(writes);
    const [store] = stores;
    if (store === undefined) throw new Error("No store.");
    for (const each of [chain, serverChain]) {
      const verdict = await verifyChain({ db: store.read, chain: each });
      expect(verdict).toMatchObject({ broken: null, entries: each === chain ? 40 : 41 });
    }
    const objects = new Set((await list(store)).map(({ object_id }) => object_id));
    expect(objects.size).toBe(40);
  });

  test("the audit log deletes old entries from the start, and verifies the rest by their last hash", async () => {
    const store = await open();
    const now = 1_000 * dayMs;
    await append(store, [1, 2, 3, 4], (number) => now - (10 - 2 * number) * dayMs);
    const trim = { before: now - 5 * dayMs, now };
    expect(await store.write((db) => trimChain(db, chain, trim))).toBe(2);
    expect(await store.write((db) => trimChain(db, chain, trim))).toBe(0);
    expect((await list(store)).map(({ seq, action }) => [seq, action])).toEqual([
      [5, "audit.trim"],
      [4, "token.create"],
      [3, "token.create"],
    ]);
    expect(await verify(store)).toBeNull();
    await store.write((db) => remove(db, 3));
    expect(await verify(store)).toMatchObject({ entry: 3 });
    await store.write((db) => db.updateTable("audit_heads").set({ trimmed_seq: 3 }).execute());
    expect(await verify(store)).toMatchObject({ entry: 4 });
  });

  test("the audit log handles a wrong clock without breaking the chain or deleting new entries", async () => {
    const store = await open();
    const now = 1_000 * dayMs;
    const times = [now, 0, now, now + 900 * dayMs, now];
    await append(store, [1, 2, 3, 4, 5], (number) => times[number - 1] ?? 0);
    expect(await verify(store)).toBeNull();
    const trim = { before: now - dayMs, now };
    expect(await store.write((db) => trimChain(db, chain, trim))).toBe(0);
  });

  test("the audit log of a deleted workspace ends when its last entry is old", async () => {
    const store = await open();
    const now = 1_000 * dayMs;
    await append(store, [1, 2]);
    await store.write((db) => trimChain(db, chain, { before: now - dayMs, now }));
    expect(await listChains(store.read)).toEqual([serverChain]);
    expect((await verifyChain({ db: store.read, chain: serverChain })).broken).toBeNull();
  });

  test("the audit log finds entries by actor, action, object, time, and text, with special characters taken literally", async () => {
    const store = await open();
    await append(store, [1, 2, 30]);
    const find = async (filter: Parameters<typeof listEntries>[1]) =>
      (await listEntries({ db: store.read, chain }, filter, { limit: 10 })).map(({ seq }) => seq);
    expect(await find({ action: "token", object: "CI 3" })).toEqual([3]);
    expect(await find({ actor: "ann", since: 2, until: 30 })).toEqual([2]);
    expect(await find({ text: "192.0.2.1" })).toEqual([3, 2, 1]);
    expect(await find({ text: "%" })).toEqual([]);
    expect(await find({ action: "tok" })).toEqual([]);
  });
});

const at = (seq: number) => (row: { seq: number }) => row.seq === seq;

async function change(db: Db, seq: number, columns: Partial<Omit<NewEntry, never>>): Promise<void> {
  await db.updateTable("audit_log").set(columns).where("chain", "=", chain).where("seq", "=", seq).execute();
}

async function remove(db: Db, seq: number): Promise<void> {
  await db.deleteFrom("audit_log").where("chain", "=", chain).where("seq", "=", seq).execute();
}

async function rowAt(db: Db, seq: number) {
  const rows = await db.selectFrom("audit_log").selectAll().where("chain", "=", chain).execute();
  const row = rows.find(at(seq));
  if (row === undefined) throw new Error("No such entry.");
  return row;
}

async function swap(db: Db, one: number, other: number): Promise<void> {
  const [first, second] = [await rowAt(db, one), await rowAt(db, other)];
  await remove(db, one);
  await remove(db, other);
  await db
    .insertInto("audit_log")
    .values([
      { ...first, seq: other },
      { ...second, seq: one },
    ])
    .execute();
}

async function copy(db: Db, from: number, to: number): Promise<void> {
  const row = await rowAt(db, from);
  await db
    .insertInto("audit_log")
    .values({ ...row, seq: to })
    .execute();
  await db.updateTable("audit_heads").set({ seq: to }).where("chain", "=", chain).execute();
}
