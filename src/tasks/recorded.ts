// The newest report of a test, for whoever goes by what was recorded.

import { Refusal } from "../errors.ts";
import { parseReport } from "../reports/report.ts";
import { readReport } from "../store/reports.ts";
import type { Scope } from "../store/scope.ts";

/** As JSON. */
export async function readRecorded(scope: Scope, testId: string): Promise<string> {
  const report = await readReport(scope, testId);
  if (report === undefined)
    throw new Refusal("conflict", "Nothing is recorded for this test: it has no report yet.");
  if (parseReport(report) !== null) return report;
  throw new Refusal("conflict", "An earlier version recorded too little of this test; analyse it live.");
}
