// The state machine of a monitor. A run is one message that is sent and expected back, or one that others must send. Its
// outcome moves the monitor up or down, and each move is reported once.

export const monitorOutcomes = [
  "ok",
  "late",
  "lost",
  "refused",
  "unreachable",
  "deferred",
  "bounced",
  "misplaced",
  "worse",
  "unauthenticated",
  "interrupted",
  "missing",
  "unclear",
  "wrong-words",
  "maintenance",
] as const;
export type MonitorOutcome = (typeof monitorOutcomes)[number];

/** They say nothing about the path: the server stopped, a person announced it, or a message can't be read. */
const neutral: readonly MonitorOutcome[] = ["interrupted", "maintenance", "unclear"];

export function isFailure(outcome: MonitorOutcome): boolean {
  return outcome !== "ok" && !neutral.includes(outcome);
}

/** Why it is down. */
export type Problem = {
  readonly code: MonitorOutcome;
  /** A sentence with the evidence. */
  readonly says: string;
  /** Null if no run could be judged. */
  readonly runId: string | null;
  readonly testId: string | null;
};

export type MonitorState = {
  readonly state: "new" | "up" | "down";
  readonly since: number;
  readonly problem: Problem | null;
  readonly lastOkAt: number | null;
  /** Runs that failed since the last one that didn't. */
  readonly failing: number;
};

/** What became of a run. IDs of runs sort by the time when they began. */
export type Decision = {
  readonly runId: string;
  readonly outcome: MonitorOutcome;
  readonly says: string;
  readonly testId: string | null;
  readonly at: number;
  /** The run has counted as failed before, for another reason. */
  readonly isRevised: boolean;
};

type Step = { readonly next: MonitorState; readonly news: "down" | "up" | null };

export function advance(before: MonitorState, decision: Decision, failuresBeforeAlert: number): Step {
  const { outcome, at } = decision;
  if (neutral.includes(outcome)) return { next: before, news: null };
  if (outcome === "ok") return recover(before, decision);
  const failing = before.failing + (decision.isRevised ? 0 : 1);
  const problem = toProblem(decision);
  if (before.state === "down") {
    // An older run that is revised says less than the newest one.
    const isNewer = !before.problem?.runId || decision.runId >= before.problem.runId;
    return { next: { ...before, failing, problem: isNewer ? problem : before.problem }, news: null };
  }
  // A run that failed before the last good one is known already.
  if (decision.isRevised || failing < failuresBeforeAlert) return { next: { ...before, failing }, news: null };
  return { next: { ...before, state: "down", since: at, problem, failing }, news: "down" };
}

/** Only a run that began after the one that failed proves that the path works again, or that one if it didn't fail after all. */
function recover(before: MonitorState, { runId, at }: Decision): Step {
  const lastOkAt = Math.max(before.lastOkAt ?? 0, at);
  if (before.state !== "down") {
    const since = before.state === "up" ? before.since : at;
    return { next: { ...before, state: "up", since, lastOkAt, failing: 0, problem: null }, news: null };
  }
  if (before.problem?.runId && runId < before.problem.runId) return { next: { ...before, lastOkAt }, news: null };
  return { next: { state: "up", since: at, problem: null, lastOkAt, failing: 0 }, news: "up" };
}

function toProblem({ outcome, says, runId, testId }: Decision): Problem {
  return { code: outcome, says, runId, testId };
}

// Figures over many runs.

type FinishedRun = {
  /** When it counts: for a canary, when it was sent, and for expected mail, when its window ended. */
  readonly at: number;
  /** Null while it is open. */
  readonly outcome: MonitorOutcome | null;
  readonly delayMs: number | null;
};

/** In the share of runs that were OK. */
export function isCounted(outcome: MonitorOutcome): boolean {
  return outcome !== "wrong-words" && !neutral.includes(outcome);
}

/** As the contract describes them. */
export function toFigures(runs: readonly FinishedRun[]) {
  const counted = runs.filter(({ outcome }) => outcome !== null && isCounted(outcome));
  const failed = counted.filter(({ outcome }) => outcome !== null && isFailure(outcome)).length;
  const delays = runs.flatMap(({ delayMs }) => delayMs ?? []).sort((one, other) => one - other);
  return {
    runs: counted.length,
    failed,
    wrongWords: runs.filter(({ outcome }) => outcome === "wrong-words").length,
    uptime: counted.length === 0 ? null : 1 - failed / counted.length,
    timed: delays.length,
    p50Ms: percentile(delays, 0.5),
    p95Ms: percentile(delays, 0.95),
    p99Ms: percentile(delays, 0.99),
  };
}

/** Nearest rank: always a delay that was measured. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Equal spans that end now, oldest first. `runs` may be in any order. */
export function toSpans(
  runs: readonly FinishedRun[],
  { now, spanMs, count }: { readonly now: number; readonly spanMs: number; readonly count: number },
) {
  const begin = now - spanMs * count;
  const spans: FinishedRun[][] = Array.from({ length: count }, () => []);
  for (const run of runs) spans[Math.min(count - 1, Math.floor((run.at - begin) / spanMs))]?.push(run);
  return spans.map((some, index) => ({ from: begin + index * spanMs, ...toFigures(some) }));
}
