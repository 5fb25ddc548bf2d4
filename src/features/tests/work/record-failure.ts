// Records that a test has no report, and why. Monitors that wait for the message learn that it arrived.

import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Publish } from "../../events/work/hub.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { readWatched, type WatchedTerms } from "../../monitors/rows/expected.ts";
import { noteUnreadArrival } from "../../monitors/work/arrivals.ts";
import { noteUnread } from "../../monitors/work/record-canary.ts";
import { markFailed } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { isFirst } from "./arrived.ts";

type FailureTerms = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log" | "random">;
  readonly publish: Publish;
};

export async function recordFailure(
  test: TestsTable,
  why: string,
  { store, system, publish }: FailureTerms,
): Promise<undefined> {
  const { id, workspace_id, label, seed_inbox_id: inboxId, received_at: receivedAt } = test;
  const watched = await readWatchedBy(test, store);
  const isRecorded = await store.write(async (db) => {
    if (!(await markFailed(db, test, why))) return false;
    const mail = { inboxId, label, testId: id, receivedAt };
    await noteUnreadArrival(inWorkspace(db, workspace_id), watched, mail);
    return true;
  });
  if (!isRecorded) return;
  await noteUnread(test, { store, system, publish });
  system.log.warn("message not analyzed", { test: id, why });
  publish(workspace_id, { type: "test.failed", id, label });
}

/** The monitors that may wait for it. */
async function readWatchedBy(test: TestsTable, { read }: Store): Promise<readonly WatchedTerms[]> {
  if (!isFirst(test) || !hasArrived(test) || test.became === "canary") return [];
  return await readWatched(read, test.workspace_id);
}
