import { sql } from "kysely";
import { expect, test } from "vitest";
import { createIntake } from "../../../src/store/intake/intake.ts";
import {
  listPredictedObservations,
  listShifts,
  readShifts,
  removeShift,
  upsertShift,
} from "../../../src/store/mailboxes/calibration.ts";
import { inWorkspace } from "../../../src/store/scope.ts";
import { eachDialect } from "../each-dialect.ts";
import { insertWorkspaces, message } from "../nouns.ts";
import { insertObservations, predictedInbox } from "../observations.ts";

const drawn = { observations: 41, set_at: 2_000, set_by: null };

eachDialect("calibration", (open) => {
  async function openWithTests() {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    await createIntake(store).insert(
      ["wsp_a", "wsp_b"].map((id) => message(`tst_${id}`, { workspaceId: id })),
    );
    const scopes = { read: inWorkspace(store.read, "wsp_a"), theirs: inWorkspace(store.read, "wsp_b") };
    const set = (shift: number, workspace = "wsp_a") =>
      store.write((db) => upsertShift(inWorkspace(db, workspace), { provider: "gmail", shift, ...drawn }));
    return { ...store, ...scopes, store, set };
  }

  test("a shift is set, replaced and removed, in its workspace alone", async () => {
    const { store, read, theirs, set } = await openWithTests();
    expect(await readShifts(store.read, "wsp_a")).toEqual({});
    await set(0.4);
    await set(-1.25);
    expect(await readShifts(store.read, "wsp_a")).toEqual({ gmail: { value: -1.25, observations: 41 } });
    expect(await readShifts(store.read, "wsp_b")).toEqual({});
    expect(await listShifts(read)).toEqual([
      { workspace_id: "wsp_a", provider: "gmail", shift: -1.25, ...drawn },
    ]);
    expect(await listShifts(theirs)).toEqual([]);
    const remove = (workspace: string) =>
      store.write((db) => removeShift(inWorkspace(db, workspace), "gmail"));
    expect(await remove("wsp_b")).toBe(false);
    expect(await remove("wsp_a")).toBe(true);
    expect(await readShifts(store.read, "wsp_a")).toEqual({});
  });

  test("observations of what was predicted come newest first, of one provider and workspace, so many at most", async () => {
    const { store, read } = await openWithTests();
    await store.write(async (db) => {
      const ours = { workspaceId: "wsp_a", testId: "tst_wsp_a" };
      await insertObservations(db, { ...ours, seenAt: 1_000 });
      await insertObservations(db, { ...ours, seenAt: 3_000, folder: "spam", weights: "1 gmail+0.40" });
      await insertObservations(db, { ...ours, seenAt: 2_000 });
      await insertObservations(db, { ...ours, seenAt: 4_000, predicted: null });
      await insertObservations(db, { ...ours, seenAt: 4_000, provider: "yahoo" });
      await insertObservations(db, { workspaceId: "wsp_b", testId: "tst_wsp_b", seenAt: 4_000 });
    });
    const rows = await listPredictedObservations(read, "gmail", 2);
    expect(rows.map(({ seen_at }) => seen_at)).toEqual([3_000, 2_000]);
    expect(rows[0]).toEqual({
      ...{ folder: "spam", seen_at: 3_000, weights: "1 gmail+0.40" },
      ...{ predicted_folder: "inbox", predicted_odds: JSON.stringify(predictedInbox.odds) },
    });
  });

  test("a workspace's shifts and observations go with it", async () => {
    const { store, set } = await openWithTests();
    await set(0.4, "wsp_b");
    await store.write(async (db) => {
      await insertObservations(db, { workspaceId: "wsp_b", testId: "tst_wsp_b" }, 3);
      await sql`delete from workspaces where id = 'wsp_b'`.execute(db);
    });
    for (const table of ["observations", "placement_shifts"] as const)
      expect(await store.read.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
