// Compares two reports: of two tests, or of one test over time.

import type { Comparison } from "../../../analyzer/reports/compare.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { noSuchTest, Refusal } from "../../../platform/errors.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import type { System } from "../../../platform/system/system.ts";
import { answerOf, type JobThread, reading } from "../../tests/analysis/job-thread.ts";
import { readSession } from "../../tests/rows/raw-messages.ts";
import { listReports, readKeptReport } from "../../tests/rows/reports.ts";
import { readTest } from "../../tests/rows/tests.ts";
import { readRecordedTest } from "../../tests/work/recorded-test.ts";
import type { TestPlace } from "../../tests/work/viewer.ts";
import type { ReportSummary, StoredTest } from "./compare-stored.ts";
import type { ScoreSplit } from "./split-change.ts";

type CompareWith = TestPlace & {
  readonly otherId: string;
  /** Selects one of the other test's reports; default: the newest. */
  readonly otherAnalyzedAt: number | undefined;
};

type Compared = Comparison & { readonly analyzedAt: { readonly before: number; readonly after: number } };

export type Comparer = {
  /** The other test is `before`. */
  readonly compare: (asked: CompareWith) => Promise<Compared>;
  /** The difference of the two scores, split among its causes. */
  readonly split: (asked: CompareWith) => Promise<ScoreSplit>;
  /** A test's reports, newest first. */
  readonly history: (test: TestPlace) => Promise<readonly ReportSummary[]>;
};

type ComparerOptions = {
  readonly store: Pick<Store, "readInWorker" | "messages">;
  readonly thread: JobThread;
  /** A split takes much longer than other jobs, which would wait for it. */
  readonly splitThread: JobThread;
  readonly system: Pick<System, "log">;
};

/** Each holds large reports in memory. */
const bounds = { atOnce: 2, waitingPerWorkspace: 16, waitingInAll: 64, patienceMs: 5_000 };

export function createComparer({ store, thread, splitThread, system: { log } }: ComparerOptions): Comparer {
  const line = createFairQueue("comparisons", bounds);

  async function compare(asked: CompareWith): Promise<Compared> {
    const { workspaceId, testId, otherId, otherAnalyzedAt } = asked;
    const scope = inWorkspace(store.readInWorker, workspaceId);
    const before = await readSide(scope, otherId, otherAnalyzedAt);
    const after = await readSide(scope, testId);
    const job = { kind: "compare", before: before.side, after: after.side } as const;
    const comparison = answerOf(await thread.run(job), reading, { testId, log });
    if (comparison !== null)
      return { ...comparison, analyzedAt: { before: before.analyzedAt, after: after.analyzedAt } };
    throw new Refusal("conflict", "One of these reports is in an old format and cannot be compared.");
  }

  async function split(asked: CompareWith): Promise<ScoreSplit> {
    const { workspaceId, testId, otherId, otherAnalyzedAt } = asked;
    const scope = inWorkspace(store.readInWorker, workspaceId);
    const read = async (id: string, analyzedAt?: number) =>
      (await readRecordedTest(store, scope, id, async () => (await readSide(scope, id, analyzedAt)).side.report))
        .message;
    const before = await read(otherId, otherAnalyzedAt);
    const after = await read(testId);
    const answer = answerOf(await splitThread.run({ kind: "split", before, after }), reading, { testId, log });
    if (answer !== null) return answer;
    throw new Refusal(
      "conflict",
      "The scores can't be split: one of these reports has no score or is in an old format.",
    );
  }

  async function history({ workspaceId, testId }: TestPlace): Promise<readonly ReportSummary[]> {
    const scope = inWorkspace(store.readInWorker, workspaceId);
    const test = await readStoredTest(scope, testId);
    const kept = await listReports(scope, testId);
    const reports = kept.map(({ created_at, report }) => ({ createdAt: created_at, report }));
    return answerOf(await thread.run({ kind: "history", test, reports }), reading, { testId, log });
  }

  return {
    compare: (asked) => line.run(asked.workspaceId, () => compare(asked)),
    split: (asked) => line.run(asked.workspaceId, () => split(asked)),
    history: (test) => line.run(test.workspaceId, () => history(test)),
  };
}

async function readStoredTest(scope: Scope, testId: string): Promise<StoredTest> {
  const test = await readTest(scope, testId);
  const session = await readSession(scope, testId);
  if (!test || session === undefined) throw noSuchTest();
  return { receivedAt: test.received_at, label: test.label, session };
}

async function readSide(scope: Scope, testId: string, analyzedAt?: number) {
  const test = await readStoredTest(scope, testId);
  const kept = await readKeptReport(scope, testId, analyzedAt);
  if (kept) return { side: { ...test, report: kept.report }, analyzedAt: kept.created_at };
  throw analyzedAt === undefined
    ? new Refusal("conflict", "One of these tests has no report yet.")
    : new Refusal("not_found", "The other test has no report from that time.");
}
