// Previews a test's report with changed DNS records. All else stays as recorded; only lookups that the record lacks,
// such as a new include, are asked now. Nothing is stored.

import type { GivenRecords } from "../../../analyzer/dns/domain-name.ts";
import { parseRecordSets, type RecordSet } from "../../../analyzer/dns/record-sets.ts";
import type { SmtpSession } from "../../../analyzer/mail/session/session.ts";
import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createFairQueue } from "../../../platform/system/fair-queue.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Finding } from "../../tests/analysis/analyze-stored.ts";
import { analysing, answerOf, type JobThread } from "../../tests/analysis/job-thread.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import type { TestsTable } from "../../tests/tables.ts";
import { readRecorded } from "../../tests/work/reanalyze.ts";
import { readRecordedTest } from "../../tests/work/recorded-test.ts";
import type { TestPlace } from "../../tests/work/viewer.ts";

export type WhatIf = (asked: TestPlace & { readonly records: readonly GivenRecords[] }) => Promise<WouldBe>;

type WouldBe = { readonly test: TestsTable; readonly session: SmtpSession; readonly report: Report };

type WhatIfOptions = {
  readonly store: Pick<Store, "readInWorker" | "messages">;
  readonly thread: JobThread;
  readonly system: Pick<System, "now" | "log">;
};

/** Each takes as long as an analysis. */
const bounds = { atOnce: 2, waitingPerWorkspace: 8, waitingInAll: 32, patienceMs: 5_000 };

export function createWhatIf({ store, thread, system }: WhatIfOptions): WhatIf {
  const line = createFairQueue("DNS previews", bounds);

  async function imagine(place: TestPlace, changes: readonly RecordSet[]): Promise<WouldBe> {
    const scope = inWorkspace(store.readInWorker, place.workspaceId);
    const { test, message } = await readRecordedTest(store, scope, place.testId, () =>
      readRecorded(scope, place.testId),
    );
    const outcome = await thread.run({ kind: "analyze", message: { ...message, changes } });
    const finding = testIn(answerOf(outcome, analysing, { testId: test.id, log: system.log }));
    return { test: imagined(test, finding), session: parseSessionText(message.session), report: reportOf(finding) };
  }

  function imagined(test: TestsTable, { analysis, broken }: TestFinding): TestsTable {
    for (const one of broken) system.log.error("check failed", { test: test.id, ...one });
    const { report: _, ...columns } = analysis;
    return { ...test, ...columns, status: "analyzed", failure: null, analyzed_at: system.now() };
  }

  function testIn(finding: Finding): TestFinding {
    if (finding.kind === "test") return finding;
    throw new Refusal("conflict", "The current rules no longer recognize this message as a test.");
  }

  return async ({ records, ...place }) => {
    const parsed = parseRecordSets(records);
    if (!parsed.ok) throw new Refusal("invalid_request", parsed.problem, { field: `records.${parsed.at}` });
    return await line.run(place.workspaceId, () => imagine(place, parsed.sets));
  };
}

type TestFinding = Extract<Finding, { readonly kind: "test" }>;

function reportOf({ analysis }: TestFinding): Report {
  return JSON.parse(decodeReport(analysis.report)) as Report;
}
