// A finished test, analysed anew because a person asked: with the world as it is now, or with what was recorded. In a
// thread of its own, so that nobody's new mail waits for it. Earlier reports stay, and the last good one is never lost.

import type { Kind } from "../checks/kind.ts";
import { noSuchTest, overloaded, Refusal } from "../errors.ts";
import { removeOldReports } from "../store/reports.ts";
import { inWorkspace } from "../store/scope.ts";
import { claimReanalysis, forgetReanalysis, readTest } from "../store/tests.ts";
import { type AnalysisTerms, analyze, recordFailure } from "./analyze-claimed.ts";
import { readRecorded } from "./recorded.ts";

export type Reanalyze = (asked: {
  readonly workspaceId: string;
  readonly testId: string;
  readonly dns: "live" | "recorded";
  /** What a person says that it is; "inferred" takes that back. Left out: what they said before holds. */
  readonly kind?: Kind | "inferred" | undefined;
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

  async function reanalyze({ workspaceId, testId, dns, kind }: Parameters<Reanalyze>[0]): Promise<void> {
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
