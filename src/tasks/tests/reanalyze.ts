// A finished test, analysed anew because a person asked: with the world as it is now, or with what was recorded. In a
// thread of its own, so that nobody's new mail waits for it. Earlier reports stay, and the last good one is never lost.

import type { Kind } from "../../checks/kind.ts";
import { noSuchTest, overloaded, Refusal } from "../../errors.ts";
import { parseReport } from "../../reports/stored-report.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import { readReport, removeOldReports } from "../../store/tests/reports.ts";
import { claimReanalysis, forgetReanalysis, readTest } from "../../store/tests/tests.ts";
import { createFairQueue, type FairQueueBounds } from "../../system/fair-queue.ts";
import { type AnalysisTerms, analyze, recordFailure } from "./analyze-claimed.ts";

export type Reanalyze = (asked: ReanalysisAsked) => Promise<void>;

type ReanalysisAsked = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly dns: "live" | "recorded";
  /** What a person says that it is; "inferred" takes that back. Left out: what they said before holds. */
  readonly kind?: Kind | "inferred" | undefined;
};

type Reanalyzer = {
  readonly reanalyze: Reanalyze;
  /** Refuses those who wait for their turn. */
  readonly close: () => void;
};

type ReanalyzeOptions = AnalysisTerms & {
  /** Names this process in claims. */
  readonly owner: string;
};

/** Enough for all that is on a page of a list, and over long before a server lets go of a silent answer. */
const reanalysisBounds: FairQueueBounds = {
  atOnce: 4,
  waitingPerWorkspace: 100,
  waitingInAll: 400,
  patienceMs: 60_000,
};
/** The report itself and those that it replaced. */
const reportsKept = 20;

export function createReanalyzer(
  options: ReanalyzeOptions,
  bounds: FairQueueBounds = reanalysisBounds,
): Reanalyzer {
  const { store, system, owner, leaseMs } = options;
  const line = createFairQueue("analyses of tests", bounds);

  async function reanalyze({ workspaceId, testId, dns, kind }: ReanalysisAsked): Promise<void> {
    const scope = inWorkspace(store.read, workspaceId);
    if ((await readTest(scope, testId)) === undefined) throw noSuchTest();
    const recorded = dns === "recorded" ? await readRecorded(scope, testId) : null;
    const lease = { now: system.now(), owner, leaseMs };
    const claim = await store.write((db) => {
      const said = kind && { kind_override: kind === "inferred" ? null : kind };
      return claimReanalysis(inWorkspace(db, workspaceId), testId, lease, said);
    });
    if (claim === undefined) throw noSuchTest();
    if (claim === "busy")
      throw new Refusal("conflict", "This test is being analysed; ask again when it is finished.");
    const { test, before } = claim;
    const trouble = await analyze(test, options, recorded);
    if (trouble?.outcome === "stalled") {
      await recordFailure(test, `This message stalled the analyser, ${trouble.during}.`, options);
    } else if (trouble) {
      await store.write((db) => forgetReanalysis(db, test, before));
      throw overloaded("The analysis was interrupted");
    }
    await store.write((db) => removeOldReports(db, testId, reportsKept));
  }

  return {
    reanalyze: (asked) => line.run(asked.workspaceId, () => reanalyze(asked)),
    close: line.close,
  };
}

// The newest report of a test, for whoever goes by what was recorded.

/** As JSON. */
export async function readRecorded(scope: Scope, testId: string): Promise<string> {
  const report = await readReport(scope, testId);
  if (report === undefined)
    throw new Refusal("conflict", "Nothing is recorded for this test: it has no report yet.");
  if (parseReport(report) !== null) return report;
  throw new Refusal("conflict", "An earlier version recorded too little of this test; analyse it live.");
}
