// Monitors of both kinds, and their runs.

import { isPostgres } from "../engine/prepared.ts";
import type { MonitorRunsTable, MonitorsTable } from "../schema/monitors.ts";
import { type Scope, unscoped } from "../scope.ts";

export async function readMonitor(scope: Scope, id: string): Promise<MonitorsTable | undefined> {
  return await scope.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirst();
}

/** On PostgreSQL the row stays locked until the transaction ends, so that outcomes take effect one after the other. */
export async function lockMonitor(scope: Scope, id: string): Promise<MonitorsTable | undefined> {
  return await scope
    .selectFrom("monitors")
    .selectAll()
    .where("id", "=", id)
    .$if(isPostgres(unscoped(scope)), (query) => query.forUpdate())
    .executeTakeFirst();
}

export async function insertMonitor(scope: Scope, row: Omit<MonitorsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("monitors", row).execute();
}

type MonitorChange = Partial<
  Omit<
    MonitorsTable,
    "id" | "workspace_id" | "kind" | "created_at" | "claimed_by" | "claimed_until" | "attempts"
  >
>;

export async function updateMonitor(scope: Scope, id: string, change: MonitorChange): Promise<void> {
  await scope.updateTable("monitors").set(change).where("id", "=", id).execute();
}

// Runs.

export async function insertRun(scope: Scope, row: Omit<MonitorRunsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("monitor_runs", row).execute();
}

type RunChange = Partial<Omit<MonitorRunsTable, "id" | "workspace_id" | "monitor_id">>;

export async function updateRun(scope: Scope, id: string, change: RunChange): Promise<void> {
  await scope.updateTable("monitor_runs").set(change).where("id", "=", id).execute();
}
