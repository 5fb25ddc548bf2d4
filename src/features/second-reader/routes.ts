// Later than the report, and without effect on it (src/decisions.md, "Second reader").

import type { SecondReading } from "../../analyzer/reports/second-reading.ts";
import { parseReport } from "../../analyzer/reports/stored-report.ts";
import { toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import {
  readSecondReader,
  type SecondReaderResult,
  toScannerScores,
  toSecondReading,
} from "../tests/contract/second-reading.ts";
import { readExamination } from "../tests/rows/examinations.ts";
import { readReport } from "../tests/rows/reports.ts";

export const secondReaderRoutes: readonly Route[] = [
  route(readSecondReader, async ({ workspaceId, store, params: { id } }, { examiner }) => {
    const examination = await examiner.demand({ workspaceId, testId: id }, "second-reader");
    const { state, result, examinedAt } = examination;
    return {
      state,
      examined_at: toTimestampOrNull(examinedAt),
      failure: state === "failed" ? result : null,
      ...(await toResult(store.readInWorker, id, state === "done" ? result : null)),
    };
  }),
];

/** What is known by now, for a saved report. */
export async function readSecondReading(
  scope: Scope,
  testId: string,
): Promise<Pick<SecondReaderResult, "result" | "scanners">> {
  const row = await readExamination(scope, testId, "second-reader");
  return await toResult(scope, testId, row?.state === "done" ? row.result : null);
}

async function toResult(
  scope: Scope,
  testId: string,
  result: string | null,
): Promise<Pick<SecondReaderResult, "result" | "scanners">> {
  const kept = await readReport(scope, testId);
  const report = kept === undefined ? null : parseReport(kept);
  return {
    result: result === null ? null : toSecondReading(JSON.parse(result) as SecondReading),
    scanners: report === null ? [] : toScannerScores(report.surroundings),
  };
}
