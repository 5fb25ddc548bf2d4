// What happens to a canary after it was sent: it comes back, bounces, is seen in a mailbox, or nothing happens. Whichever
// process learns of it records it. The monitor's row is locked first, so that two of these take effect one after the
// other.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { type Folder, toPlainName } from "../../../analyzer/placement/provider.ts";
import type { Stamp } from "../../../analyzer/reports/stamps.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { endedMeanwhile, readSend, readTestOfSend } from "../../sending/rows.ts";
import type { SendsTable } from "../../sending/tables.ts";
import {
  listOpenRuns,
  lockMonitor,
  type RunChange,
  readRun,
  readRunOfSend,
  updateMonitor,
  updateRun,
} from "../rows/monitors.ts";
import {
  type CanaryReport,
  type CanaryTerms,
  type CanaryUsual,
  type Judged,
  judgeReturn,
  learnUsual,
  nextCheckOf,
  toLostAfterMs,
  toSpanWords,
} from "../rules/canary.ts";
import { toWaitWords } from "../rules/canary-wait.ts";
import { isFailure, type MonitorOutcome } from "../rules/state.ts";
import type { MonitorRunsTable, MonitorsTable } from "../tables.ts";
import { type DecideTerms, decide } from "./decide.ts";
import { refuseTerms } from "./runs.ts";

type RunDetail = {
  /** What happened, in a sentence. */
  readonly says?: string;
  /** What the relay said when it was sent, if not that it accepted it. */
  readonly sending?: string;
  readonly observed?: { readonly provider: string; readonly folder: Folder };
};

export function readDetail({ detail }: Pick<MonitorRunsTable, "detail">): RunDetail {
  return detail === null ? {} : (JSON.parse(detail) as RunDetail);
}

export function readCanaryTerms(row: Pick<MonitorsTable, "terms">): CanaryTerms {
  return tryReadCanaryTerms(row) ?? refuseTerms();
}

/** Null if they can't be read. */
export function tryReadCanaryTerms({ terms }: Pick<MonitorsTable, "terms">): CanaryTerms | null {
  const read = parseJsonObject(terms) as unknown as CanaryTerms | null;
  return read?.schedule ? read : null;
}

export function readUsual({ usual }: Pick<MonitorsTable, "usual">): CanaryUsual | null {
  return usual === null ? null : (JSON.parse(usual) as CanaryUsual);
}

/** A run with its monitor, whose row is locked. */
type LockedRun = { readonly monitor: MonitorsTable; readonly run: MonitorRunsTable };

export async function lockRun(
  scope: Scope,
  { id, monitor_id }: Pick<MonitorRunsTable, "id" | "monitor_id">,
): Promise<LockedRun | null> {
  const monitor = await lockMonitor(scope, monitor_id);
  // Read after the lock, because another process may have finished it.
  const run = monitor && (await readRun(scope, id));
  return monitor && run ? { monitor, run } : null;
}

/** Null if it is no canary, or its monitor is gone. */
async function lockRunOfSend(scope: Scope, sendId: string): Promise<LockedRun | null> {
  const found = await readRunOfSend(scope, sendId);
  return found ? await lockRun(scope, found) : null;
}

type Ending = Judged & { readonly at: number } & Pick<RunChange, "delay_ms" | "test_id"> & {
    /** False: something may still come. */
    readonly isFinal?: boolean;
    readonly detail?: RunDetail;
  };

/** Records an outcome of a run and moves its monitor. */
export async function endRun(
  scope: Scope,
  { monitor, run }: LockedRun,
  ending: Ending,
  system: DecideTerms,
): Promise<void> {
  const { outcome, says, at, isFinal = true, detail = {}, ...columns } = ending;
  const kept = { ...readDetail(run), ...detail, says };
  await updateRun(scope, run.id, { outcome, ended_at: isFinal ? at : null, detail: JSON.stringify(kept), ...columns });
  const decision = {
    runId: run.id,
    outcome,
    says,
    at,
    testId: columns.test_id ?? run.test_id,
    isRevised: run.outcome !== null && isFailure(run.outcome),
  };
  await decide(scope, monitor.id, decision, readCanaryTerms(monitor).failuresBeforeAlert, system);
}

/** Our listener received it. Null: it couldn't be analyzed. */
type CameBack = {
  readonly sendId: string;
  readonly testId: string;
  readonly receivedAt: number;
  readonly report: CanaryReport | null;
  readonly stamps: readonly Stamp[];
};

/** Outcomes that the return of the message replaces. The others were certain. */
const provisional: readonly MonitorOutcome[] = ["late", "lost", "interrupted"];

/** Returns the ID of its monitor. Null if it is no canary, or its monitor is gone. */
export async function noteReturn(
  scope: Scope,
  { sendId, testId, receivedAt, report, stamps }: CameBack,
  system: DecideTerms,
): Promise<string | null> {
  const locked = await lockRunOfSend(scope, sendId);
  if (!locked) return null;
  const { monitor, run } = locked;
  const terms = readCanaryTerms(monitor);
  const delayMs = Math.max(0, receivedAt - run.began_at);
  const isOpen = run.outcome === null || provisional.includes(run.outcome);
  // A mailbox showed it first.
  const isKnown = run.outcome === "ok" && run.test_id === null;
  const judged = judgeReturn({ delayMs: isKnown ? (run.delay_ms ?? delayMs) : delayMs, report }, readUsual(monitor), {
    ...terms,
    objectiveMs: (run.expected_by ?? run.began_at + terms.objectiveMs) - run.began_at,
  });
  const waited = toWaitWords({ beganAt: run.began_at, acceptedAt: run.accepted_at, receivedAt, stamps });
  const says = waited === null ? judged.says : `${judged.says} ${waited}`;
  if (isOpen || (isKnown && judged.outcome !== "ok"))
    await endRun(scope, locked, { ...judged, says, at: system.now(), delay_ms: delayMs, test_id: testId }, system);
  else await updateRun(scope, run.id, { test_id: testId });
  if (judged.outcome === "ok" && report !== null)
    await updateMonitor(scope, monitor.id, { usual: JSON.stringify(learnUsual(readUsual(monitor), report)) });
  return monitor.id;
}

/** A bounce came to the return path of the send. */
export async function noteBounced(
  scope: Scope,
  sendId: string,
  problem: string | null,
  system: DecideTerms,
): Promise<string | null> {
  const locked = await lockRunOfSend(scope, sendId);
  if (!locked) return null;
  const { outcome } = locked.run;
  // It came back too, so another copy bounced.
  if (outcome !== null && !provisional.includes(outcome)) return null;
  const says = problem === null ? "It bounced." : `It bounced: ${problem}`;
  await endRun(scope, locked, { outcome: "bounced", says, at: system.now() }, system);
  return locked.monitor.id;
}

type CanarySighting = {
  readonly sendId: string;
  readonly account: string;
  readonly provider: string;
  readonly folder: Folder;
  readonly arrivedAt: number;
};

/** A seed mailbox received it. Returns the ID of its monitor. */
export async function noteSighting(
  scope: Scope,
  { sendId, account, provider, folder, arrivedAt }: CanarySighting,
  system: DecideTerms,
): Promise<string | null> {
  const locked = await lockRunOfSend(scope, sendId);
  if (!locked) return null;
  const { monitor, run } = locked;
  const at = system.now();
  const detail = { observed: { provider, folder } };
  const isOpen = run.outcome === null || provisional.includes(run.outcome);
  if (folder === "spam" && (isOpen || run.outcome === "ok")) {
    const says = `Observed in spam at ${toPlainName(provider)}.`;
    const delay_ms = run.delay_ms ?? toDelay(run, arrivedAt, at);
    await endRun(scope, locked, { outcome: "misplaced", says, at, delay_ms, detail }, system);
  } else if (isOpen && readCanaryTerms(monitor).to?.toLowerCase() === account.toLowerCase()) {
    const objectiveMs = (run.expected_by ?? run.began_at) - run.began_at;
    const delay_ms = toDelay(run, arrivedAt, at);
    const judged = judgeReturn({ delayMs: delay_ms, report: null }, null, { objectiveMs, minScore: null });
    await endRun(scope, locked, { ...judged, at, delay_ms, detail }, system);
  } else await updateRun(scope, run.id, { detail: JSON.stringify({ ...readDetail(run), ...detail }) });
  return monitor.id;
}

/** By the mailbox server's clock, unless that is impossible. */
function toDelay({ began_at }: MonitorRunsTable, arrivedAt: number, now: number): number {
  return arrivedAt >= began_at && arrivedAt <= now ? arrivedAt - began_at : now - began_at;
}

/** A message that arrived waits for its analysis this long before it is looked at again. */
const analysisMs = 15_000;

/** Decides which open runs are late or lost. Returns when the next decision is due. Null: no run is open. */
export async function checkOpenRuns(scope: Scope, monitor: MonitorsTable, system: DecideTerms): Promise<number | null> {
  const now = system.now();
  const checks: number[] = [];
  for (const run of await listOpenRuns(scope, monitor.id)) {
    const objectiveMs = (run.expected_by ?? run.began_at) - run.began_at;
    const check = nextCheckOf({ beganAt: run.began_at, isLate: run.outcome === "late" }, objectiveMs);
    if (check > now) checks.push(check);
    else if (run.send_id !== null && (await readTestOfSend(scope, run.send_id)) !== undefined)
      checks.push(now + analysisMs);
    else {
      await endOverdue(scope, { monitor, run }, objectiveMs, system);
      if (run.outcome === null)
        checks.push(Math.max(now, nextCheckOf({ beganAt: run.began_at, isLate: true }, objectiveMs)));
    }
  }
  return checks.length === 0 ? null : Math.min(...checks);
}

async function endOverdue(scope: Scope, locked: LockedRun, objectiveMs: number, system: DecideTerms): Promise<void> {
  const { run } = locked;
  const at = system.now();
  if (run.outcome === "late") {
    const says = `Not back after ${toSpanWords(toLostAfterMs(objectiveMs))}.`;
    return endRun(scope, locked, { outcome: "lost", says, at }, system);
  }
  const send = run.send_id === null ? undefined : await readSend(scope, run.send_id);
  if (run.accepted_at === null && wasInterrupted(send)) {
    const says = "The server stopped while it was being sent, so this says nothing about the path.";
    return endRun(scope, locked, { outcome: "interrupted", says, at }, system);
  }
  const { sending } = readDetail(run);
  const says = `Not back within ${toSpanWords(objectiveMs)}.${sending === undefined ? "" : ` ${sending}`}`;
  return endRun(scope, locked, { outcome: "late", says, at, isFinal: false }, system);
}

/** A process that stopped says so, and one that crashed wrote nothing. */
function wasInterrupted(send: SendsTable | undefined): boolean {
  return send === undefined || send.status === "sending" || send.problem === endedMeanwhile;
}
