import { toTimestampOrNull } from "../api/primitives.ts";
import {
  readSecondReader,
  type SecondReaderResult,
  toScannerScores,
  toSecondReading,
} from "../api/second-reader.ts";
import type { SecondReading } from "../reports/second-reading.ts";
import { parseReport } from "../reports/stored-report.ts";
import type { Scope } from "../store/scope.ts";
import { readExamination } from "../store/tests/examinations.ts";
import { readReport } from "../store/tests/reports.ts";
import { type Route, route } from "./route.ts";

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
