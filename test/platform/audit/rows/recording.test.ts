import { beforeEach, expect, test } from "vitest";
import { listEntries } from "../../../../src/platform/audit/rows/log.ts";
import { type Intent, lateRecord, recordChange, recorded } from "../../../../src/platform/audit/rows/recording.ts";
import { verifyChain } from "../../../../src/platform/audit/rows/verify.ts";
import { serverChain } from "../../../../src/platform/audit/rules/entry.ts";
import { writeMeta } from "../../../../src/platform/database/engine/meta.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { eachDialect } from "../../database/each-dialect.ts";
import { silentLog } from "../../database/store-system.ts";

const intent: Intent = {
  action: "setting.change",
  address: null,
  workspaceId: null,
  by: { type: "command", id: null, name: "root", email: null },
  log: "server",
};

const change = (store: Store) =>
  store.write(async (db) => {
    await writeMeta(db, "clock", "changed");
    recordChange();
  });

const problems: string[] = [];
const system = { now: () => 1, log: { ...silentLog, error: (problem: string) => void problems.push(problem) } };

beforeEach(() => void problems.splice(0));

async function outcomesOf({ read }: Store) {
  const place = { db: read, chain: serverChain };
  expect((await verifyChain(place)).broken).toBeNull();
  const entries = await listEntries(place, {}, { limit: 10 });
  return entries.map(({ outcome, details }) => [outcome, JSON.parse(details).error]).reverse();
}

eachDialect("recording in the audit log", (open) => {
  test("recording in the audit log stores one entry for a change with any number of writes", async () => {
    const store = await open();
    await recorded({ store, system }, intent, async () => {
      await change(store);
      await change(store);
    });
    expect(await outcomesOf(store)).toEqual([["done", undefined]]);
  });

  test("recording in the audit log stores nothing for a change that was rejected or undone", async () => {
    const store = await open();
    const refused = recorded({ store, system }, intent, async () => {
      throw new Refusal("forbidden", "No.");
    });
    await expect(refused).rejects.toThrow("No.");
    const undone = recorded({ store, system }, intent, () =>
      store.write(async (db) => {
        await writeMeta(db, "clock", "undone");
        recordChange();
        throw new Error("A bug.");
      }),
    );
    await expect(undone).rejects.toThrow("A bug.");
    expect(await store.read.selectFrom("meta").select("value").where("key", "=", "clock").execute()).toEqual([]);
    expect(await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 10 })).toEqual([]);
  });

  test("recording in the audit log stores the change and its failure if an error follows", async () => {
    const store = await open();
    const failed = recorded({ store, system }, intent, async () => {
      await change(store);
      throw new Error("The secret path /etc/x is gone.");
    });
    await expect(failed).rejects.toThrow("gone");
    expect(await outcomesOf(store)).toEqual([
      ["done", undefined],
      ["failed", "internal"],
    ]);
  });

  test("recording in the audit log stores a change that no write recorded, and logs that as an error", async () => {
    const store = await open();
    await recorded({ store, system }, intent, () => store.write((db) => writeMeta(db, "clock", "changed")));
    expect(await outcomesOf(store)).toEqual([["done", undefined]]);
    expect(problems).toEqual([lateRecord]);
  });

  test("recording in the audit log stores nothing if nothing was changed, where that may be", async () => {
    const store = await open();
    await recorded({ store, system }, { ...intent, effect: "maybe" }, () => store.write(async () => {}));
    expect(await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 10 })).toEqual([]);
  });

  test("recording in the audit log flushes what a relaxed write changes", async () => {
    const store = await open();
    await recorded({ store, system }, intent, () => store.writeRelaxed(async () => recordChange()));
    expect(await outcomesOf(store)).toEqual([["done", undefined]]);
    expect(problems).toEqual([]);
  });

  test("recording in the audit log refuses a change outside a write", async () => {
    const store = await open();
    const misplaced = recorded({ store, system }, intent, async () => recordChange());
    await expect(misplaced).rejects.toThrow("in the write");
  });

  test("recording in the audit log stores a start and an end if the effect is outside the database", async () => {
    const store = await open();
    const outside = { ...intent, action: "backup.create", effect: "outside" } as const;
    await recorded({ store, system }, outside, () => change(store));
    const failed = recorded({ store, system }, outside, async () => {
      throw new Refusal("overloaded", "The disk is full.");
    });
    await expect(failed).rejects.toThrow("full");
    expect(await outcomesOf(store)).toEqual([
      ["started", undefined],
      ["done", undefined],
      ["started", undefined],
      ["failed", "overloaded"],
    ]);
  });
});
