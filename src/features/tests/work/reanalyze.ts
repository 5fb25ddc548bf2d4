// Re-analyzes a finished test on request, with live or recorded evidence. Runs in a separate thread, so that new mail
// does not wait. Earlier reports stay, and the last good one is never lost.

import type { Kind } from "../../../analyzer/checks/kind.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { noSuchTest, overloaded, Refusal } from "../../../platform/errors.ts";
import { createFairQueue, type FairQueueBounds } from "../../../platform/system/fair-queue.ts";
import { holdClaim } from "../../../platform/work/hold-claim.ts";
import { readMessageRow } from "../rows/raw-messages.ts";
import { readReport, removeOldReports } from "../rows/reports.ts";
import { claimReanalysis, forgetReanalysis, readTest } from "../rows/tests.ts";
import { type AnalysisTerms, analyze, toFailedAnalysis } from "./analyze-claimed.ts";
import { withSettings } from "./path.ts";
import { recordFailure } from "./record-failure.ts";

export type Reanalyze = (asked: ReanalysisAsked) => Promise<void>;

type ReanalysisAsked = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly dns: "live" | "recorded";
  /** The user's choice of type; "inferred" removes it. Absent: an earlier choice stays. */
  readonly kind?: Kind | "inferred" | undefined;
  /** No one asked for it. */
  readonly isAutomatic?: boolean;
};

export type Reanalyzer = {
  readonly reanalyze: Reanalyze;
  /** Refuses waiting requests. */
  readonly close: () => void;
};

type ReanalyzeOptions = AnalysisTerms & {
  /** Identifies this process in claims. */
  readonly owner: string;
};

/** Enough for a page of a list. The wait ends long before proxies drop a silent response. */
const reanalysisBounds: FairQueueBounds = {
  atOnce: 4,
  waitingPerWorkspace: 100,
  waitingInAll: 400,
  patienceMs: 60_000,
};
/** The current report and the ones before it. */
const reportsKept = 20;

export function createReanalyzer(options: ReanalyzeOptions, bounds: FairQueueBounds = reanalysisBounds): Reanalyzer {
  const { store, features, system, owner, leaseMs } = options;
  const line = createFairQueue("re-analyses", bounds);

  async function reanalyze({ workspaceId, testId, dns, kind, isAutomatic = false }: ReanalysisAsked): Promise<void> {
    const scope = inWorkspace(store.read, workspaceId);
    if ((await readTest(scope, testId)) === undefined) throw noSuchTest();
    const recorded = dns === "recorded" ? await readRecorded(scope, testId) : null;
    // Before the claim, so that a test whose message can't be read keeps its report.
    const row = await readMessageRow(scope, testId);
    if (row === undefined) throw noSuchTest();
    const message = await store.messages.open(row, "patiently");
    const lease = { now: system.now(), owner, leaseMs };
    const claim = await store.write(async (db) => {
      const said = kind && { kind_override: kind === "inferred" ? null : kind };
      const claimed = await claimReanalysis(inWorkspace(db, workspaceId), testId, lease, said);
      if (claimed === undefined || claimed === "busy") return claimed;
      const [test] = await withSettings(features, db, [claimed.test]);
      return test && { ...claimed, test };
    });
    if (claim === undefined) throw noSuchTest();
    if (claim === "busy") throw new Refusal("conflict", "This test is being analyzed. Try again when it is finished.");
    const { test } = claim;
    const terms = { ...options, isAutomatic };
    const trouble = await holdClaim("tests", test, terms, () => analyze(test, message, terms, recorded));
    if (trouble) await refuse(trouble, claim);
    await store.write((db) => removeOldReports(db, testId, reportsKept));
  }

  /** A report that a person has read is never replaced by a failure. Without one, the test shows the failure. */
  async function refuse(trouble: Unfinished, claim: Claimed): Promise<void> {
    const { test, before } = claim;
    const failure = toFailure(trouble);
    if (failure !== null && test.analyzed_at === null) return recordFailure(test, failure, options);
    await store.write((db) => forgetReanalysis(db, test, before));
    if (failure === null) throw overloaded("The analysis was interrupted");
    system.log.warn("message not analyzed again", { test: test.id, why: failure });
    throw new Refusal("conflict", `The earlier report is kept. ${failure}`);
  }

  return { reanalyze: (asked) => line.run(asked.workspaceId, () => reanalyze(asked)), close: line.close };
}

type Unfinished = NonNullable<Awaited<ReturnType<typeof analyze>>>;
type Claimed = Exclude<Awaited<ReturnType<typeof claimReanalysis>>, "busy" | undefined>;

/** Null if the message isn't the reason. */
function toFailure(trouble: Unfinished): string | null {
  if (trouble.outcome === "failed") return toFailedAnalysis(trouble);
  if (trouble.outcome === "stalled") return `This message stalled the analyzer, ${trouble.during}.`;
  return null;
}

/** As JSON. */
export async function readRecorded(scope: Scope, testId: string): Promise<string> {
  const report = await readReport(scope, testId);
  if (report === undefined)
    throw new Refusal("conflict", "This test has no report yet, so there is no recorded evidence.");
  if (parseReport(report) !== null) return report;
  throw new Refusal("conflict", "This test's report is in an old format. Re-analyze the test with live DNS.");
}
