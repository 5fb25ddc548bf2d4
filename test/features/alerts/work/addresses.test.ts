// Email to a mailbox that isn't an alert is limited for all workspaces and processes together.

import { expect, it } from "vitest";
import { ensureAlertAddress } from "../../../../src/features/alerts/rows/addresses.ts";
import { createAlertAddresses } from "../../../../src/features/alerts/work/addresses.ts";
import { countMail } from "../../../../src/features/alerts/work/mail-limits.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { alertMailKeys } from "../rules/events.ts";

const mailer = {
  missing: () => [],
  from: () => null,
  keys: alertMailKeys,
  send: () => Promise.reject(new Error("sent")),
};
const minuteMs = 60_000;

eachDialect("mail that is not an alert", (open) => {
  const outcomesOf = async (asked: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(asked)).map(({ status }) => status).toSorted();

  it("a mailbox is asked to confirm once, even if two workspaces ask at the same time", async () => {
    const [one, other] = [await open(), await open()];
    const system = testSystem();
    await one.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const ask = (store: Store, workspaceId: string, name: string) =>
      store.write(async (db) => {
        const scope = inWorkspace(db, workspaceId);
        const row = { id: `adr_${name}_${workspaceId}`, address: `${name}@team.example`, created_at: 1 };
        const address = await ensureAlertAddress(scope, row);
        const addresses = createAlertAddresses({ store, system, mailer, baseUrl: () => "https://a.example" });
        return await addresses.plan(scope, address);
      });
    for (const name of ["ann", "bob", "cid", "dan"])
      expect(await outcomesOf([ask(one, "wsp_a", name), ask(other, "wsp_b", name)])).toEqual(["fulfilled", "rejected"]);
  });

  it("few test alerts by email are sent, however many alerts and workspaces request them", async () => {
    const [one, other] = [await open(), await open()];
    const system = testSystem();
    const began = system.now();
    const count = (store: Store, address: string, minute: number) =>
      store.write((db) =>
        countMail(inWorkspace(db, "wsp_a"), "test", address, { ...system, now: () => began + minute * minuteMs }),
      );
    const five = [0, 0, 1, 2, 3].map((minute, index) => count(index % 2 ? other : one, "ann@team.example", minute));
    expect(await outcomesOf(five)).toEqual(Array(5).fill("fulfilled"));
    await expect(count(one, "ann+tag@team.example", 4)).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("5 test emails within an hour"),
    });
    await expect(count(one, "bob@team.example", 4)).resolves.toMatch(/^dlv_/);
    for (const minute of [61, 62, 63, 64, 65]) await count(other, "ann@team.example", minute);
    await expect(count(one, "ann@team.example", 130)).rejects.toMatchObject({
      message: expect.stringContaining("10 test emails within a day"),
    });
    await expect(count(one, "ann@team.example", 1_445)).resolves.toMatch(/^dlv_/);
  });
});
