import { expect, test } from "vitest";
import { listNewestSamples, listSampleIds } from "../../../src/features/samples/rows.ts";
import { claimTests, markRecognised } from "../../../src/features/tests/rows/tests.ts";
import { countKept, countReceived, toMonth } from "../../../src/features/tests/rows/totals.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { eachDialect, type Open } from "../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../platform/database/nouns.ts";
import { insertTests } from "../../platform/database/test-rows.ts";

const sample = { sample: 1, label: "lab-order" };

async function openWithSamples(open: Open) {
  const store = await open();
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  await insertTests(store, "wsp_a", [
    { id: "t1", ...sample },
    { id: "t2", ...sample },
    { id: "t3", label: "lab-order" },
    { id: "t4", ...sample, label: "lab-unsigned", status: "received", due_at: 0 },
  ]);
  await insertTests(store, "wsp_b", [{ id: "t5", ...sample }]);
  const scope = inWorkspace(store.read, "wsp_a");
  const [first] = await store.read.selectFrom("tests").select("received_at").execute();
  return { store, scope, month: toMonth(first?.received_at ?? 0) };
}

eachDialect("samples", (open) => {
  test("the newest sample of each label is found, and no other test counts as a sample", async () => {
    const { scope } = await openWithSamples(open);
    const newest = await listNewestSamples(scope);
    expect(newest.map(({ id }) => id).sort()).toEqual(["t2", "t4"]);
    expect(await listSampleIds(scope, 9)).toEqual(["t1", "t2", "t4"]);
    expect(await listSampleIds(scope, 2)).toEqual(["t1", "t2"]);
  });

  test("samples are kept, and never counted as received", async () => {
    const { store, scope, month } = await openWithSamples(open);
    expect([await countKept(scope), await countReceived(scope, month)]).toEqual([4, 1]);
    await store.write(async (db) => {
      const lease = { now: 1, owner: "one", leaseMs: 1_000, limit: 9, only: ["t4"] };
      const [claimed] = await claimTests(db, lease);
      if (!claimed) throw new Error("Nothing was due.");
      const found = { header_from: null, subject: null, message_id: null, analyzedAt: 1 };
      await markRecognised(db, claimed, { became: "auto-reply", ...found });
    });
    expect([await countKept(scope), await countReceived(scope, month)]).toEqual([3, 1]);
    expect(await countKept(scope, ["auto-reply"])).toBe(1);
    await store.write((db) => db.deleteFrom("tests").where("id", "=", "t1").execute());
    expect([await countKept(scope), await countReceived(scope, month)]).toEqual([2, 1]);
  });
});
