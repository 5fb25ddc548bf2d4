// Records that a test has no report, and why. Features that wait for the message learn that it arrived.

import { recordIf } from "../../../platform/audit/rows/recording.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { Feature } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Publish } from "../../events/work/hub.ts";
import { markFailed } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { joinIn, listAwaiting, withSettings } from "./path.ts";

type FailureTerms = {
  readonly store: Store;
  readonly features: readonly Feature[];
  readonly system: Pick<System, "now" | "log" | "random">;
  readonly publish: Publish;
};

export async function recordFailure(
  test: TestsTable,
  why: string,
  { store, features, system, publish }: FailureTerms,
): Promise<undefined> {
  const { id, workspace_id, label } = test;
  const events = await store.write(async (db) => {
    if (!recordIf(await markFailed(db, test, why))) return null;
    const awaiting = (await withSettings(features, db, [test])).flatMap((one) => listAwaiting(features, one));
    return await joinIn(features, awaiting, { db, test, outcome: { kind: "failed" }, system });
  });
  if (events === null) return;
  system.log.warn("message not analyzed", { test: id, why });
  publish(workspace_id, { type: "test.failed", id, label });
  for (const event of events) publish(workspace_id, event);
}
