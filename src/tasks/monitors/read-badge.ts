import { type BadgeState, toBadgeState } from "../../monitors/badge.ts";
import { periodOf } from "../../monitors/expected.ts";
import { findBadge, listLastRuns } from "../../store/monitors/monitor-list.ts";
import type { MonitorsTable } from "../../store/schema/monitors.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace } from "../../store/scope.ts";
import { readCanaryTerms } from "./canary-run.ts";
import { readTerms } from "./runs.ts";
import { nextTimeOf } from "./schedule.ts";

/** Canaries are due at their next step, which is never more than an hour late. */
const canaryPeriodMs = 3_600_000;
/** Polling is a little later than the due time. */
const slackMs = 60_000;

/** Null: no monitor has this key. */
export async function readBadge(
  db: Db,
  key: string,
  now: number,
): Promise<{ readonly label: string; readonly state: BadgeState } | null> {
  const row = await findBadge(db, key);
  if (!row) return null;
  const [last] = await listLastRuns(inWorkspace(db, row.workspace_id), row.id, 1);
  const state = toBadgeState(
    {
      enabled: row.enabled === 1,
      state: row.state,
      dueAt: row.due_at,
      periodMs: toPeriod(row),
      staleAt: toStaleAt(row, last?.began_at ?? row.last_ok_at),
      lastOutcome: last?.outcome ?? null,
    },
    now,
  );
  return { label: row.badge_name ?? "monitor", state };
}

function toPeriod(row: MonitorsTable): number {
  return row.kind === "expected" ? periodOf(readTerms(row)) : canaryPeriodMs;
}

function toStaleAt(row: MonitorsTable, lastAt: number | null): number | null {
  if (row.kind !== "canary" || lastAt === null) return null;
  const { schedule, objectiveMs } = readCanaryTerms(row);
  const next = nextTimeOf(schedule, null, lastAt);
  return nextTimeOf(schedule, null, next) + objectiveMs + slackMs;
}
