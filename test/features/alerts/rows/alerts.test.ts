import { expect, it } from "vitest";
import {
  countAlerts,
  insertAlert,
  listAlerts,
  readAlert,
  removeAlert,
  updateAlert,
} from "../../../../src/features/alerts/rows/alerts.ts";
import { removeSomeDeliveries } from "../../../../src/features/alerts/rows/deliveries.ts";
import { raiseAlert } from "../../../../src/features/alerts/work/raise.ts";
import { closeWorkspace, removeSomeAlerts } from "../../../../src/features/people/rows/workspaces.ts";
import { inWorkspace, type Scope } from "../../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { testSystem } from "../../../test-system.ts";
import { aDrift, ownWebhook } from "../rules/events.ts";

const insert = (scope: Scope, id: string) =>
  insertAlert(scope, {
    ...ownWebhook,
    id,
    label: "On call",
    url: "sealed",
    url_shown: "https://hooks.example/…",
    events: '["domain.drift"]',
    secret: "sealed",
  });

eachDialect("alert webhooks", (open) => {
  it("alert webhooks are listed oldest first, counted, changed, and deleted within one workspace", async () => {
    const store = await openWithAlerts(open);
    const ours = inWorkspace(store.read, "wsp_a");
    expect((await listAlerts(ours)).map(({ id }) => id)).toEqual(["alr_1", "alr_2"]);
    expect(await countAlerts(ours)).toBe(2);
    expect(await readAlert(ours, "alr_3")).toBeUndefined();
    await store.write(async (db) => {
      const scope = inWorkspace(db, "wsp_a");
      await updateAlert(scope, "alr_3", { label: "Ours now" });
      expect(await removeAlert(scope, "alr_3")).toBe(false);
      await updateAlert(scope, "alr_1", { label: "Night", threshold_score: 33.3 });
      expect(await removeAlert(scope, "alr_2")).toBe(true);
    });
    expect(await listAlerts(ours)).toMatchObject([{ id: "alr_1", label: "Night", threshold_score: 33.3 }]);
    expect(await readAlert(inWorkspace(store.read, "wsp_b"), "alr_3")).toMatchObject({ label: "On call" });
  });

  async function withEvents() {
    const store = await openWithAlerts(open);
    const system = testSystem();
    const raise = (workspace: string) => store.write((db) => raiseAlert(inWorkspace(db, workspace), aDrift(), system));
    await raise("wsp_a");
    await raise("wsp_b");
    const alertsTold = async () => {
      const rows = await store.read.selectFrom("deliveries").select("alert_id").orderBy("alert_id").execute();
      return rows.map(({ alert_id }) => alert_id);
    };
    return { store, raise, alertsTold };
  }

  it("alert webhooks get no events after their workspace is deleted, and their events are deleted in steps", async () => {
    const { store, raise, alertsTold } = await withEvents();
    await store.write((db) => closeWorkspace(inWorkspace(db, "wsp_a")));
    expect(await raise("wsp_a")).toBe(0);
    const steps: number[] = [];
    do steps.push(await store.write((db) => removeSomeAlerts(inWorkspace(db, "wsp_a"), 1)));
    while (steps.at(-1) !== 0);
    expect(steps).toEqual([1, 1, 1, 0]);
    expect(await alertsTold()).toEqual(["alr_3"]);
    const events = await store.read.selectFrom("alert_events").select("workspace_id").execute();
    expect(events).toEqual([{ workspace_id: "wsp_b" }]);
  });

  it("alert webhooks are deleted with their deliveries in steps, without touching other webhooks", async () => {
    const { store, alertsTold } = await withEvents();
    const remove = (...ids: string[]) => store.write((db) => removeSomeDeliveries(inWorkspace(db, "wsp_a"), ids, 10));
    expect([await remove("alr_1", "alr_3"), await remove("alr_1"), await remove()]).toEqual([1, 0, 0]);
    expect(await alertsTold()).toEqual(["alr_2", "alr_3"]);
  });
});

async function openWithAlerts(open: Open) {
  const store = await open();
  await store.write(async (db) => {
    await insertWorkspaces(db, "wsp_a", "wsp_b");
    for (const id of ["alr_2", "alr_1"]) await insert(inWorkspace(db, "wsp_a"), id);
    await insert(inWorkspace(db, "wsp_b"), "alr_3");
  });
  return store;
}
