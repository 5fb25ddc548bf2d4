// Monitors of both kinds, and their runs.

import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { MonitorKind, MonitorRunsTable, MonitorsTable } from "../tables.ts";

export async function readMonitor(scope: Scope, id: string): Promise<MonitorsTable | undefined> {
  return await scope.selectFrom("monitors").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The row stays locked until the transaction ends, so that outcomes take effect one after the other. */
export async function lockMonitor(scope: Scope, id: string): Promise<MonitorsTable | undefined> {
  // An update locks on both databases.
  return await scope
    .updateTable("monitors")
    .set((column) => ({ attempts: column.ref("attempts") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

type NewMonitor = Pick<MonitorsTable, "id" | "kind" | "name" | "relay_id" | "terms" | "created_at" | "next_at"> &
  Partial<Omit<MonitorsTable, "workspace_id">>;

/** New, and due when it is sent first, unless `row` says otherwise. */
export async function insertMonitor(scope: Scope, row: NewMonitor): Promise<void> {
  await scope
    .insertInto("monitors", {
      enabled: 1,
      state: "new",
      state_since: row.created_at,
      problem: null,
      last_ok_at: null,
      failing: 0,
      usual: null,
      due_at: row.next_at,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
      ...row,
    })
    .execute();
}

export type MonitorChange = Partial<
  Omit<MonitorsTable, "id" | "workspace_id" | "kind" | "created_at" | "claimed_by" | "claimed_until" | "attempts">
>;

export async function updateMonitor(scope: Scope, id: string, change: MonitorChange): Promise<void> {
  await scope.updateTable("monitors").set(change).where("id", "=", id).execute();
}

/** With its runs. */
export async function removeMonitor(scope: Scope, id: string): Promise<void> {
  await scope.deleteFrom("monitors").where("id", "=", id).execute();
}

export async function countMonitors(scope: Scope, kind: MonitorKind): Promise<number> {
  const row = await scope
    .selectFrom("monitors")
    .select((of) => of.fn.countAll<number>().as("total"))
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** IDs of monitors of this kind that are due and not claimed, the longest due first. In all workspaces. */
export async function listDueMonitors(
  db: Db,
  { kind, now, limit }: { readonly kind: MonitorKind; readonly now: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("monitors")
    .select("id")
    .where("due_at", "<=", now)
    .where("kind", "=", kind)
    .where((is) => is.or([is("claimed_until", "is", null), is("claimed_until", "<=", now)]))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** When the next monitor of this kind is due. Undefined: none is. */
export async function readNextDue(db: Db, kind: MonitorKind): Promise<number | undefined> {
  const row = await db
    .selectFrom("monitors")
    .select("due_at")
    .where("due_at", "is not", null)
    .where("kind", "=", kind)
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

// Runs.

type NewRun = Pick<MonitorRunsTable, "id" | "monitor_id" | "began_at" | "expected_by"> &
  Partial<Omit<MonitorRunsTable, "workspace_id">>;

/** Open, unless `row` says otherwise. Returns the whole row. */
export async function insertRun(scope: Scope, row: NewRun): Promise<MonitorRunsTable> {
  return await scope
    .insertInto("monitor_runs", {
      ended_at: null,
      outcome: null,
      delay_ms: null,
      test_id: null,
      send_id: null,
      accepted_at: null,
      detail: null,
      ...row,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function readRun(scope: Scope, id: string): Promise<MonitorRunsTable | undefined> {
  return await scope.selectFrom("monitor_runs").selectAll().where("id", "=", id).executeTakeFirst();
}

/** In the workspace of the send. */
export async function readRunOfSend(scope: Scope, sendId: string): Promise<MonitorRunsTable | undefined> {
  return await scope.selectFrom("monitor_runs").selectAll().where("send_id", "=", sendId).executeTakeFirst();
}

export type RunChange = Partial<
  Pick<MonitorRunsTable, "expected_by" | "ended_at" | "outcome" | "delay_ms" | "test_id" | "accepted_at" | "detail">
>;

export async function updateRun(scope: Scope, id: string, change: RunChange): Promise<void> {
  await scope.updateTable("monitor_runs").set(change).where("id", "=", id).execute();
}

const mostOpen = 2_000;

/** Oldest first. */
export async function listOpenRuns(scope: Scope, monitorId: string): Promise<MonitorRunsTable[]> {
  return await scope
    .selectFrom("monitor_runs")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .where("ended_at", "is", null)
    .orderBy("expected_by")
    .orderBy("id")
    .limit(mostOpen)
    .execute();
}

/** Newest first. */
export async function listRuns(scope: Scope, monitorId: string, limit: number): Promise<MonitorRunsTable[]> {
  return await scope
    .selectFrom("monitor_runs")
    .selectAll()
    .where("monitor_id", "=", monitorId)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

type TimedRun = Pick<MonitorRunsTable, "began_at" | "ended_at" | "outcome" | "delay_ms">;

/** Since that ID, newest first. */
export async function listTimedRuns(
  scope: Scope,
  monitorId: string,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<TimedRun[]> {
  return await scope
    .selectFrom("monitor_runs")
    .select(["began_at", "ended_at", "outcome", "delay_ms"])
    .where("monitor_id", "=", monitorId)
    .where("id", ">=", since)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** In all workspaces: those that began and ended before. Returns how many were removed. */
export async function removeRunsBefore(
  db: Db,
  { began, ended, limit }: { readonly began: string; readonly ended: number; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("monitor_runs")
    .where("id", "in", (query) =>
      query
        .selectFrom("monitor_runs as old")
        .select("old.id")
        .where("old.id", "<", began)
        .where("old.ended_at", "<", ended)
        .orderBy("old.id")
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

// What canaries leave behind, in all workspaces.

export async function listCanaryWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("test_counts")
    .select("workspace_id")
    .distinct()
    .where("became", "=", "canary")
    .where("kept", ">", 0)
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Those of runs that were OK or are gone, before `okBefore`, and all others before `before`. Returns how many. */
export async function removeCanaryTests(
  scope: Scope,
  { okBefore, before, limit }: { readonly okBefore: string; readonly before: string; readonly limit: number },
): Promise<number> {
  const rows = await scope
    .selectFrom("tests")
    .select("id")
    .where("became", "=", "canary")
    .where("id", "<", okBefore)
    .where("due_at", "is", null)
    .where((is) =>
      is.or([
        is("id", "<", before),
        is.not(
          is.exists(
            is
              .selectFrom("monitor_runs")
              .select("monitor_runs.id")
              .whereRef("monitor_runs.test_id", "=", "tests.id")
              .where("monitor_runs.outcome", "<>", "ok"),
          ),
        ),
      ]),
    )
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("tests").where("id", "in", ids).execute();
  return ids.length;
}

/** Returns how many. */
export async function removeCanarySends(db: Db, before: string, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("sends")
    .where("id", "in", (query) =>
      query
        .selectFrom("sends as old")
        .select("old.id")
        .where("old.monitor_id", "is not", null)
        .where("old.id", "<", before)
        .orderBy("old.id")
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
