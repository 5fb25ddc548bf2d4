import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { removeTests } from "../../../../src/features/tests/rows/removal.ts";
import { claimTests, markRecognised } from "../../../../src/features/tests/rows/tests.ts";
import { countKept, countReceived, toMonth } from "../../../../src/features/tests/rows/totals.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";

const november = Date.parse("2026-11-30T23:59:59.999Z");
const december = november + 1;

const received = (store: Store, month: string, workspaceId = "wsp_a") =>
  countReceived(inWorkspace(store.read, workspaceId), month);
const kept = (store: Store, workspaceId = "wsp_a") => countKept(inWorkspace(store.read, workspaceId));

async function openWithTests(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await createIntake(store).insert([
    message("t1", { receivedAt: november }),
    message("t2", { receivedAt: december }),
    message("t3", { receivedAt: december }),
    message("other", { receivedAt: december, workspaceId: "wsp_b" }),
  ]);
  return store;
}

eachDialect("counts of tests", (open) => {
  test("counts of tests follow new tests by workspace and UTC month", async () => {
    const store = await openWithTests(open);
    expect([toMonth(november), toMonth(december)]).toEqual(["2026-11", "2026-12"]);
    expect([await received(store, "2026-11"), await received(store, "2026-12")]).toEqual([1, 2]);
    expect([await received(store, "2027-01"), await received(store, "2026-12", "wsp_b")]).toEqual([0, 1]);
    expect([await kept(store), await kept(store, "wsp_b"), await kept(store, "wsp_none")]).toEqual([3, 1, 0]);
  });

  test("counts of tests subtract a deleted test from the stored tests, not from the received ones", async () => {
    const store = await openWithTests(open);
    await store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t2"]));
    expect([await kept(store), await received(store, "2026-12")]).toEqual([2, 2]);
  });

  test("counts of tests no longer include a message that is not a test, and count it by its kind", async () => {
    const store = await openWithTests(open);
    await store.write(async (db) => {
      const lease = { now: december, owner: "one", leaseMs: 1_000, limit: 9, only: ["t3"] };
      const [claimed] = await claimTests(db, lease);
      if (!claimed) throw new Error("Nothing was due.");
      const found = { header_from: null, subject: null, message_id: null, analyzedAt: december };
      await markRecognised(db, claimed, { became: "auto-reply", ...found });
    });
    expect([await kept(store), await received(store, "2026-12")]).toEqual([2, 1]);
    expect(await countKept(inWorkspace(store.read, "wsp_a"), ["auto-reply", "bounce"])).toBe(1);
  });

  test("counts of tests are deleted with their workspace", async () => {
    const store = await openWithTests(open);
    await store.write((db) => db.deleteFrom("workspaces").where("id", "=", "wsp_a").execute());
    expect([await kept(store), await received(store, "2026-12"), await kept(store, "wsp_b")]).toEqual([0, 0, 1]);
    expect(await store.read.selectFrom("test_counts").select("workspace_id").execute()).toEqual([
      { workspace_id: "wsp_b" },
    ]);
  });

  test("counts of tests equal the number of rows, whatever fails beside them", async () => {
    const store = await openWithTests(open);
    const { insert } = createIntake(store);
    const writes = Array.from({ length: 40 }, (_, index) => {
      const workspaceId = index % 7 === 0 ? "wsp_none" : index % 2 === 0 ? "wsp_a" : "wsp_b";
      const one = message(index % 5 === 0 ? "t1" : `new-${index}`, { workspaceId, receivedAt: december });
      const check = async () => {
        if (index % 9 === 0) throw new Error("refused");
      };
      return index % 3 === 0 ? insert([one], check) : insert([one]);
    });
    const outcomes = await Promise.allSettled([
      ...writes,
      store.write((db) => removeTests(inWorkspace(db, "wsp_a"), ["t2"])),
    ]);
    const accepted = outcomes.filter(({ status }) => status === "fulfilled").length - 1;
    expect(accepted).toBeGreaterThan(10);
    expect(accepted).toBeLessThan(40);
    const rows = await store.read.selectFrom("tests").select(["workspace_id", "id"]).execute();
    expect(rows).toHaveLength(4 + accepted - 1);
    for (const workspaceId of ["wsp_a", "wsp_b"])
      expect(await kept(store, workspaceId)).toBe(
        rows.filter(({ workspace_id }) => workspace_id === workspaceId).length,
      );
    const came = (await received(store, "2026-12")) + (await received(store, "2026-12", "wsp_b"));
    expect(came).toBe(3 + accepted);
  });

  test("counts of tests stay correct with simultaneous writes in different orders", async () => {
    const store = await openWithTests(open);
    const insert = (name: string, workspaces: readonly string[]) =>
      createIntake(store).insert(
        workspaces.map((workspaceId) => message(`${name}-${workspaceId}`, { workspaceId, receivedAt: december })),
      );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        insert(`many-${index}`, index % 2 === 0 ? ["wsp_a", "wsp_b"] : ["wsp_b", "wsp_a"]),
      ),
    );
    expect([await kept(store), await kept(store, "wsp_b")]).toEqual([23, 21]);
  });
});
