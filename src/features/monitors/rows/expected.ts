// Monitors of expected mail and their runs. A run is one window in which mail must arrive, and a monitor has at most one
// open run. The monitor's row is locked before each change, so that two processes decide one after the other.

import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";

export const maxMonitors = 200;

export type WatchedTerms = Pick<MonitorsTable, "id" | "terms">;

/** Asked for every claimed message. */
export async function readWatched(db: Db, workspaceId: string): Promise<readonly WatchedTerms[]> {
  return (await selectWatched(db, { workspaceId })).rows;
}

const selectWatched = prepare<{ workspaceId: string }, WatchedTerms>((db, { workspaceId }) =>
  db
    .selectFrom("monitors")
    .select(["id", "terms"])
    .where("workspace_id", "=", workspaceId)
    .where("kind", "=", "expected")
    .where("enabled", "=", 1)
    .orderBy("id")
    .limit(maxMonitors),
);

type DueMonitor = Pick<MonitorsTable, "id" | "workspace_id">;

/** In all workspaces. */
export async function listDueExpected(db: Db, now: number, limit: number): Promise<DueMonitor[]> {
  return await db
    .selectFrom("monitors")
    .select(["id", "workspace_id"])
    .where("due_at", "<=", now)
    .where("kind", "=", "expected")
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function readOpenRun(scope: Scope, monitorId: string): Promise<MonitorRunsTable | undefined> {
  return await scope
    .selectFrom("monitor_runs")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .where("ended_at", "is", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The newest window that is over. Its `expected_by` distinguishes it from what happened between windows. */
export async function readLastRun(scope: Scope, monitorId: string): Promise<MonitorRunsTable | undefined> {
  return await scope
    .selectFrom("monitor_runs")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .where("ended_at", "is not", null)
    .where("expected_by", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function removeOpenRuns(scope: Scope, monitorId: string): Promise<void> {
  await scope.deleteFrom("monitor_runs").where("monitor_id", "=", monitorId).where("ended_at", "is", null).execute();
}

/** Whether a message that arrived before a time waits for its analysis. */
export async function hasUnread(scope: Scope, from: number, until: number): Promise<boolean> {
  const waiting = await scope
    .selectFrom("tests")
    .select("id")
    .where("due_at", "is not", null)
    .where("status", "in", ["received", "analyzing"])
    // A reanalysis has been read before.
    .where("analyzed_at", "is", null)
    .where("received_at", ">=", from)
    .where("received_at", "<=", until)
    .limit(1)
    .execute();
  return waiting.length > 0;
}
