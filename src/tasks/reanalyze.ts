// A finished test, analysed anew because a person asked: with the world as it is now, or with what was recorded. In a
// thread of its own, so that nobody's new mail waits for it. Earlier reports stay, and the last good one is never lost.

import { noSuchTest, overloaded, Refusal } from "../errors.ts";
import { parseReport } from "../reports/report.ts";
import { readReport, removeOldReports } from "../store/reports.ts";
import { inWorkspace } from "../store/scope.ts";
import { claimReanalysis, forgetReanalysis } from "../store/tests.ts";
import { type AnalysisTerms, analyze, recordFailure } from "./analyze-claimed.ts";

export type Reanalyze = (asked: {
  readonly workspaceId: string;
  readonly testId: string;
  readonly dns: "live" | "recorded";
}) => Promise<void>;

export type ReanalyzeOptions = AnalysisTerms & {
  /** Names this process in claims. */
  readonly owner: string;
};

const maxInFlight = 4;
/** The report itself and those that it replaced. */
const reportsKept = 20;

export function createReanalyzer(options: ReanalyzeOptions): Reanalyze {
  const { store, system, owner, leaseMs } = options;
  let inFlight = 0;

  async function reanalyze({ workspaceId, testId, dns }: Parameters<Reanalyze>[0]): Promise<void> {
    const recorded = dns === "recorded" ? await readRecorded(workspaceId, testId) : null;
    const lease = { now: system.now(), owner, leaseMs };
    const claim = await store.write((db) => claimReanalysis(inWorkspace(db, workspaceId), testId, lease));
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

  async function readRecorded(workspaceId: string, testId: string): Promise<string> {
    const scope = inWorkspace(store.read, workspaceId);
    const report = await readReport(scope, testId);
    if (report === undefined)
      throw new Refusal("conflict", "Nothing is recorded for this test: it has no report yet.");
    if (parseReport(report) !== null) return report;
    throw new Refusal("conflict", "An earlier version recorded too little of this test; analyse it live.");
  }

  return async (asked) => {
    if (inFlight >= maxInFlight) throw overloaded("Other tests are being analysed anew");
    inFlight++;
    try {
      await reanalyze(asked);
    } finally {
      inFlight--;
    }
  };
}
