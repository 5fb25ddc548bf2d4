// The runs of a monitor of expected mail. A run is one window in which mail must arrive.

import { parseJsonObject } from "../../../analyzer/json.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type ExpectedTerms, expectedTerms } from "../contract/expected.ts";
import { removeOpenRuns, type WatchedTerms } from "../rows/expected.ts";
import { insertRun, updateMonitor } from "../rows/monitors.ts";
import { type ExpectedWindow, firstWindow } from "../rules/expected.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";

type Sys = Pick<System, "now" | "random">;

/** A run's evidence, stored as JSON. */
export type RunDetail = {
  /** When it was expected, without the grace period. */
  readonly by: number;
  readonly count: number;
  /** Why a message that arrived may be the expected one. */
  readonly unclear?: "not-analyzed" | "cut";
  /** Why it isn't ok, in a sentence. */
  readonly says?: string;
};

export function readTerms({ terms }: Pick<WatchedTerms, "terms">): ExpectedTerms {
  return tryReadTerms({ terms }) ?? refuseTerms();
}

export function refuseTerms(): never {
  throw new Refusal("conflict", "Its settings can't be read. Delete it and create it again.");
}

/** Null if they can't be read, as after a change by hand. */
export function tryReadTerms({ terms }: Pick<WatchedTerms, "terms">): ExpectedTerms | null {
  return expectedTerms.safeParse(parseJsonObject(terms)).data ?? null;
}

export function readDetail({ detail }: MonitorRunsTable): RunDetail {
  return detail === null ? { by: 0, count: 0 } : (JSON.parse(detail) as RunDetail);
}

/** Begins to watch, or begins again after a pause or a change of what is expected. */
export async function beginWatching(scope: Scope, monitor: MonitorsTable, system: Sys): Promise<void> {
  const now = system.now();
  await removeOpenRuns(scope, monitor.id);
  const window = firstWindow(readTerms(monitor), now);
  await updateMonitor(scope, monitor.id, { state: "new", state_since: now, problem: null });
  await openRun(scope, monitor, window, system);
}

export async function openRun(
  scope: Scope,
  monitor: MonitorsTable,
  window: ExpectedWindow,
  system: Sys,
): Promise<void> {
  const { id: monitor_id } = monitor;
  const { opensAt: began_at, by, expectedBy: expected_by } = window;
  const id = createId("monitorRun", system.now(), system.random(16));
  const detail = JSON.stringify({ by, count: 0 } satisfies RunDetail);
  await insertRun(scope, { id, monitor_id, began_at, expected_by, detail });
  await updateMonitor(scope, monitor_id, { due_at: expected_by });
}

export function toWindow(run: MonitorRunsTable): ExpectedWindow {
  const { by } = readDetail(run);
  return { opensAt: run.began_at, by, expectedBy: run.expected_by ?? by };
}
