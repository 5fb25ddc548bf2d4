// Monitors of both kinds as lists show them.

import { sql } from "kysely";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import { isPendingRemoval } from "../../tests/rows/removal.ts";
import type { Became, TestsTable } from "../../tests/tables.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";

/** More than a workspace may have of both kinds. */
const mostListed = 1_000;

/** Those that are down first. */
export async function listMonitors(scope: Scope): Promise<MonitorsTable[]> {
  const rows = await scope.selectFrom("monitors").selectAll().orderBy("id").limit(mostListed).execute();
  return rows.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en") || (a.id < b.id ? -1 : 1));
}

function rank({ enabled, state }: MonitorsTable): number {
  if (enabled === 0) return 3;
  return { down: 0, new: 1, up: 2 }[state];
}

/** The newest first. */
export async function listDownMonitors(scope: Scope, limit: number): Promise<MonitorsTable[]> {
  return await scope
    .selectFrom("monitors")
    .selectAll()
    .where("state", "=", "down")
    .where("enabled", "=", 1)
    .orderBy("state_since", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function countUp(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("monitors").where("state", "=", "up").where("enabled", "=", 1));
}

export type OutcomeCount = {
  readonly monitor_id: string;
  readonly outcome: MonitorRunsTable["outcome"];
  readonly count: number;
};

type CountedSince = {
  /** Runs that began earlier aren't read. */
  readonly began: number;
  /** Runs that ended earlier don't count. Undefined: they do, and so do those that failed but may still come back. */
  readonly ended?: number | undefined;
};

/** Runs by outcome. */
export async function countOutcomes(
  scope: Scope,
  ids: readonly string[],
  { began, ended }: CountedSince,
): Promise<OutcomeCount[]> {
  if (ids.length === 0) return [];
  const rows = await scope
    .selectFrom("monitor_runs")
    .select((of) => ["monitor_id", "outcome", of.fn.countAll<number>().as("count")])
    .where("monitor_id", "in", ids)
    .where("id", ">=", beginningAt("monitorRun", began))
    .where("outcome", "is not", null)
    .$if(ended !== undefined, (query) => query.where("ended_at", ">=", ended ?? 0))
    .groupBy(["monitor_id", "outcome"])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

export type FinishedRun = Pick<MonitorRunsTable, "id" | "began_at" | "ended_at" | "outcome" | "test_id">;

/** Newest first. */
export async function listLastRuns(scope: Scope, monitorId: string, limit: number): Promise<FinishedRun[]> {
  return await scope
    .selectFrom("monitor_runs")
    .select(["id", "began_at", "ended_at", "outcome", "test_id"])
    .where("monitor_id", "=", monitorId)
    .where("ended_at", "is not", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export type StoredMail = Pick<
  TestsTable,
  "id" | "became" | "seed_inbox_id" | "label" | "header_from" | "subject" | "received_at"
>;

const classes: readonly Became[] = ["test", "auto-reply", "bounce", "complaint", "report"];

/** Mail that arrived since then and was analyzed, newest first. Without samples and uploads. */
export async function listStoredMail(scope: Scope, since: number, limit: number): Promise<StoredMail[]> {
  const lists: StoredMail[] = [];
  // One class after the other, because the index begins with it.
  for (const became of classes) {
    const rows = await scope
      .selectFrom("tests")
      .select(["id", "became", "seed_inbox_id", "label", "header_from", "subject", "received_at"])
      .where("became", "=", became)
      .where("id", ">=", beginningAt("test", since))
      .where("analyzed_at", "is not", null)
      .where("sample", "=", 0)
      .where("recipients", "<>", "[]")
      .where(sql<boolean>`not ${isPendingRemoval("tests.id")}`)
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    lists.push(...rows);
  }
  return lists.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
