// Writes a monitor's new state. The alert is raised in the same transaction, once when it goes down and once when it is
// up again.

import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { toUnserved } from "../../../platform/contract/server-state-words.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import type { MonitorData } from "../../alerts/rules/alert-event.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import { lockMonitor, updateMonitor } from "../rows/monitors.ts";
import type { MonitorState } from "../rules/state.ts";
import type { MonitorsTable } from "../tables.ts";

type StateChange = {
  readonly to: "up" | "down";
  readonly reason: MonitorData["reason"];
  readonly runId: string | null;
  readonly testId: string | null;
  /** When the message arrived that shows that all is well. */
  readonly okAt?: number;
};

export async function changeState(
  scope: Scope,
  monitor: MonitorsTable,
  { to, reason, runId, testId, okAt }: StateChange,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const now = system.now();
  const lastOkAt = okAt === undefined ? monitor.last_ok_at : Math.max(okAt, monitor.last_ok_at ?? okAt);
  const hasChanged = monitor.state !== to;
  await updateMonitor(scope, monitor.id, {
    last_ok_at: lastOkAt,
    problem: to === "up" ? null : JSON.stringify({ ...reason, runId, testId }),
    ...(hasChanged && { state: to, state_since: now }),
  });
  // The first success is no news.
  if (!hasChanged || (monitor.state === "new" && to === "up")) return;
  await raiseChange(scope, monitor, { state: to, since: now, lastOkAt, reason, runId, testId }, system);
}

type Move = Pick<MonitorData, "state" | "reason" | "runId" | "testId"> & Pick<MonitorState, "since" | "lastOkAt">;

/** Alerts that a monitor is down or up again. */
export async function raiseChange(
  scope: Scope,
  { id, name, kind }: MonitorsTable,
  { since, lastOkAt, ...move }: Move,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const times = { since: toTimestamp(since), lastOkAt: toTimestampOrNull(lastOkAt) };
  const data = { monitor: { id, name, kind }, ...move, ...times };
  await raiseAlert(scope, { type: "monitor.changed", data }, system);
}

/** It is down until it can be judged, because what it watches may be too. An alert says so once. */
export async function noteUnjudged(
  scope: Scope,
  monitorId: string,
  { error, dueAt }: { readonly error: unknown; readonly dueAt: number },
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const monitor = await lockMonitor(scope, monitorId);
  if (monitor?.enabled !== 1) return;
  const reason = { code: "unclear", says: toUnserved("judged", error instanceof Refusal ? error.message : undefined) };
  await changeState(scope, monitor, { to: "down", reason, runId: null, testId: null }, system);
  await updateMonitor(scope, monitorId, { due_at: dueAt });
}
