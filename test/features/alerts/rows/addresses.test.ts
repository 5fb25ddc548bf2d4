import { expect, it } from "vitest";
import {
  confirmAddress,
  countAsked,
  dropLink,
  endAddress,
  ensureAlertAddress,
  findAlertAddress,
  findByLink,
  insertLimitedMail,
  keepLink,
  listMailTimes,
  readAlertAddress,
  tidyAddresses,
} from "../../../../src/features/alerts/rows/addresses.ts";
import { insertAlert, listListening, readAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { ownWebhook } from "../rules/events.ts";

const ann = { id: "adr_1", address: "ann@team.example", created_at: 1 };
const link = { link_hash: "h1", link_expires_at: 100, asked_at: 10 };

async function openWithAddress(open: Open) {
  const store = await open();
  await store.write(async (db) => {
    await insertWorkspaces(db, "wsp_a", "wsp_b");
    const scope = inWorkspace(db, "wsp_a");
    await ensureAlertAddress(scope, ann);
    await insertAlert(scope, {
      ...ownWebhook,
      id: "alr_1",
      label: "Ann",
      url: "sealed",
      url_shown: "mailto:ann@team.example",
      kind: "email",
      events: '["domain.drift"]',
      address_id: "adr_1",
    });
  });
  return { store, ours: inWorkspace(store.read, "wsp_a"), theirs: inWorkspace(store.read, "wsp_b") };
}

eachDialect("email addresses of alerts", (open) => {
  it("email addresses of alerts have one row per workspace, which no other workspace sees", async () => {
    const { store, ours, theirs } = await openWithAddress(open);
    await store.write(async (db) => {
      const again = await ensureAlertAddress(inWorkspace(db, "wsp_a"), { ...ann, id: "adr_2" });
      expect(again).toMatchObject({ id: "adr_1", state: "pending" });
      expect((await ensureAlertAddress(inWorkspace(db, "wsp_b"), { ...ann, id: "adr_3" })).id).toBe("adr_3");
    });
    expect((await readAlertAddress(ours, "adr_1"))?.address).toBe("ann@team.example");
    expect(await readAlertAddress(theirs, "adr_1")).toBeUndefined();
  });

  it("email addresses of alerts are active once confirmed with the newest link before it expires", async () => {
    const { store, ours } = await openWithAddress(open);
    expect(await listListening(ours, "domain.drift")).toEqual([]);
    await store.write((db) => keepLink(inWorkspace(db, "wsp_a"), "adr_1", link));
    expect(await countAsked(ours, 9)).toBe(1);
    expect(await findByLink(store.read, "h1", 100)).toBeUndefined();
    const row = await findByLink(store.read, "h1", 99);
    if (!row) throw new Error("The link is not there.");
    expect(await store.write((db) => confirmAddress(db, row, 50))).toBe(true);
    expect(await store.write((db) => confirmAddress(db, row, 51))).toBe(false);
    expect((await listListening(ours, "domain.drift")).map(({ id }) => id)).toEqual(["alr_1"]);
  });

  it("email addresses of alerts that ended disable their alerts, and a new confirmation enables them", async () => {
    const { store, ours } = await openWithAddress(open);
    const ending = { state: "bounced", problem: "550", because: "It bounced." } as const;
    await store.write((db) => endAddress(db, { id: "adr_1", workspace_id: "wsp_a" }, ending));
    expect(await readAlert(ours, "alr_1")).toMatchObject({ enabled: 0, disabled_because: "It bounced." });
    await store.write((db) => keepLink(inWorkspace(db, "wsp_a"), "adr_1", link));
    const row = await findByLink(store.read, "h1", 20);
    if (!row) throw new Error("The link is not there.");
    await store.write((db) => confirmAddress(db, row, 20));
    expect(await readAlert(ours, "alr_1")).toMatchObject({ enabled: 1, disabled_because: null });
  });

  it("email addresses of alerts lose a link that could not be sent, but not a newer one", async () => {
    const { store } = await openWithAddress(open);
    const scoped = <T>(work: (scope: ReturnType<typeof inWorkspace>) => Promise<T>) =>
      store.write((db) => work(inWorkspace(db, "wsp_a")));
    await scoped((scope) => keepLink(scope, "adr_1", link));
    await scoped((scope) => dropLink(scope, { id: "adr_1", link_hash: "other" }, "No."));
    expect(await findAlertAddress(store.read, "adr_1")).toMatchObject({ link_hash: "h1", problem: null });
    await scoped((scope) => dropLink(scope, { id: "adr_1", link_hash: "h1" }, "No."));
    expect(await findAlertAddress(store.read, "adr_1")).toMatchObject({ link_hash: null, problem: "No." });
  });

  it("email addresses of alerts without an alert are deleted with their recent mail, except those that ended", async () => {
    const { store, ours } = await openWithAddress(open);
    await store.write(async (db) => {
      const scope = inWorkspace(db, "wsp_a");
      await insertLimitedMail(scope, "confirmation", { id: "dlv_1", mailbox: "ann@team.example", sent_at: 5 });
      await insertLimitedMail(scope, "confirmation", { id: "dlv_2", mailbox: "ann@team.example", sent_at: 15 });
      for (const id of ["adr_4", "adr_5"])
        await ensureAlertAddress(scope, { ...ann, id, address: `${id}@team.example` });
      const ending = { state: "unsubscribed", problem: null, because: "Enough." } as const;
      await endAddress(db, { id: "adr_5", workspace_id: "wsp_a" }, ending);
      await tidyAddresses(db, 10);
    });
    const rows = await ours.selectFrom("alert_addresses").select("id").orderBy("id").execute();
    expect(rows.map(({ id }) => id)).toEqual(["adr_1", "adr_5"]);
    expect(await listMailTimes(ours, "confirmation", "ann@team.example", 0)).toEqual([15]);
  });
});
