// Records what became of a run and moves its monitor. In the caller's transaction, so that the move, its alert, and what
// caused it are one.

import type { Scope } from "../../../platform/database/scope.ts";
import type { System } from "../../../platform/system/system.ts";
import { lockMonitor, updateMonitor } from "../rows/monitors.ts";
import { toSpanWords } from "../rules/canary.ts";
import { advance, type Decision, type MonitorState, type Problem } from "../rules/state.ts";
import type { MonitorsTable } from "../tables.ts";
import { raiseChange } from "./change-state.ts";

export type DecideTerms = Pick<System, "now" | "random">;

/** Undefined if the monitor is gone. */
export async function decide(
  scope: Scope,
  monitorId: string,
  decision: Decision,
  failuresBeforeAlert: number,
  system: DecideTerms,
): Promise<void> {
  const row = await lockMonitor(scope, monitorId);
  if (row === undefined) return;
  const before = toState(row);
  const { next, news } = advance(before, decision, failuresBeforeAlert);
  if (next !== before) await updateMonitor(scope, row.id, toColumns(next));
  if (news === null) return;
  const { runId, testId, says, outcome } = decision;
  const reason =
    news === "down"
      ? { code: outcome, says }
      : { code: "ok", says: `${says} It was down for ${toSpanWords(next.since - before.since)}.` };
  await raiseChange(scope, row, { ...next, state: news, reason, runId, testId }, system);
}

export function readProblem({ problem }: Pick<MonitorsTable, "problem">): Problem | null {
  return problem === null ? null : (JSON.parse(problem) as Problem);
}

function toState(row: MonitorsTable): MonitorState {
  const { state, state_since: since, last_ok_at: lastOkAt, failing } = row;
  return { state, since, problem: readProblem(row), lastOkAt, failing };
}

function toColumns({ state, since, problem, lastOkAt, failing }: MonitorState) {
  return {
    state,
    state_since: since,
    last_ok_at: lastOkAt,
    failing,
    problem: problem === null ? null : JSON.stringify(problem),
  };
}
