import { expect, test } from "vitest";
import { createIntake } from "../../../../src/features/intake/rows/intake.ts";
import { countHits } from "../../../../src/features/mailboxes/rows/calibration.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces, message } from "../../../platform/database/nouns.ts";
import { insertObservations } from "../../../platform/database/observations.ts";

const rejected = { folder: "rejected", odds: { inbox: 0, promotions: 0, spam: 0, rejected: 1 } } as const;

eachDialect("correct predictions", (open) => {
  test("correct predictions are counted by provider, within one workspace", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    await createIntake(store).insert(["wsp_a", "wsp_b"].map((id) => message(`tst_${id}`, { workspaceId: id })));
    await store.write(async (db) => {
      const ours = { workspaceId: "wsp_a", testId: "tst_wsp_a" };
      await insertObservations(db, ours, 3);
      await insertObservations(db, { ...ours, folder: "spam" }, 2);
      await insertObservations(db, { ...ours, predicted: null });
      await insertObservations(db, { ...ours, provider: "yahoo", folder: "spam", predicted: rejected });
      await insertObservations(db, { workspaceId: "wsp_b", testId: "tst_wsp_b" });
    });
    const counted = await countHits(inWorkspace(store.read, "wsp_a"));
    expect(counted.sort((one, other) => one.provider.localeCompare(other.provider))).toEqual([
      { provider: "gmail", observations: 5, hits: 3 },
      { provider: "yahoo", observations: 1, hits: 1 },
    ]);
  });
});
