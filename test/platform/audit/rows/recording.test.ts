import { expect, test } from "vitest";
import { listEntries } from "../../../../src/platform/audit/rows/log.ts";
import { type Intent, recorded } from "../../../../src/platform/audit/rows/recording.ts";
import { verifyChain } from "../../../../src/platform/audit/rows/verify.ts";
import { serverChain } from "../../../../src/platform/audit/rules/entry.ts";
import { writeMeta } from "../../../../src/platform/database/engine/meta.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { Refusal } from "../../../../src/platform/errors.ts";
import { eachDialect } from "../../database/each-dialect.ts";

const intent: Intent = {
  action: "setting.change",
  tables: ["meta"],
  address: null,
  at: () => 1,
  workspaceId: null,
  by: { type: "command", id: null, name: "root", email: null },
  log: "server",
};

const change = (store: Store) => store.write((db) => writeMeta(db, "clock", "changed"));

async function outcomesOf({ read }: Store) {
  const place = { db: read, chain: serverChain };
  expect((await verifyChain(place)).broken).toBeNull();
  const entries = await listEntries(place, {}, { limit: 10 });
  return entries.map(({ outcome, details }) => [outcome, JSON.parse(details).error]).reverse();
}

eachDialect("recording in the audit log", (open) => {
  test("recording in the audit log stores one entry for a change with any number of writes", async () => {
    const store = await open();
    await recorded(store, intent, async () => {
      await change(store);
      await change(store);
    });
    expect(await outcomesOf(store)).toEqual([["done", undefined]]);
  });

  test("recording in the audit log stores nothing for a change that was rejected or undone", async () => {
    const store = await open();
    const refused = recorded(store, intent, async () => {
      throw new Refusal("forbidden", "No.");
    });
    await expect(refused).rejects.toThrow("No.");
    const undone = recorded(store, intent, () =>
      store.write(async (db) => {
        await writeMeta(db, "clock", "undone");
        throw new Error("A bug.");
      }),
    );
    await expect(undone).rejects.toThrow("A bug.");
    expect(await store.read.selectFrom("meta").select("value").where("key", "=", "clock").execute()).toEqual([]);
    expect(await listEntries({ db: store.read, chain: serverChain }, {}, { limit: 10 })).toEqual([]);
  });

  test("recording in the audit log stores the change and its failure if an error follows", async () => {
    const store = await open();
    const failed = recorded(store, intent, async () => {
      await change(store);
      throw new Error("The secret path /etc/x is gone.");
    });
    await expect(failed).rejects.toThrow("gone");
    expect(await outcomesOf(store)).toEqual([
      ["done", undefined],
      ["failed", "internal"],
    ]);
  });

  test("recording in the audit log stores a start and an end if the effect is outside the database", async () => {
    const store = await open();
    const outside = { ...intent, action: "backup.create", isBefore: true } as const;
    await recorded(store, outside, () => change(store));
    const failed = recorded(store, outside, async () => {
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
