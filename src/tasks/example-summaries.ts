// What was found in the tests that a dashboard names as examples. Reports are large and a dashboard is asked for often, so
// the sentences of those that were read last are kept.

import { isAboveInfo } from "../reports/causes.ts";
import { parseReport } from "../reports/report.ts";
import { listNewestReports, readKeptReport } from "../store/reports.ts";
import type { Scope } from "../store/scope.ts";

type Summaries = ReadonlyMap<string, string>;

const mostKept = 200;
/** A sentence may quote what a stranger wrote. */
const longest = 400;

/** By test and the time of its report; the last one read stands last. */
const kept = new Map<string, Summaries>();

/** By test, then by finding. A test without a report that can be read is left out. */
export async function readExampleSummaries(
  scope: Scope,
  testIds: readonly string[],
): Promise<ReadonlyMap<string, Summaries>> {
  const newest = await listNewestReports(scope, [...new Set(testIds)]);
  const found = new Map<string, Summaries>();
  for (const { test_id, created_at } of newest) {
    const key = `${test_id} ${created_at}`;
    const summaries = kept.get(key) ?? (await readSummaries(scope, test_id, created_at));
    kept.delete(key);
    kept.set(key, summaries);
    found.set(test_id, summaries);
  }
  for (const key of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(key);
  }
  return found;
}

async function readSummaries(scope: Scope, testId: string, createdAt: number): Promise<Summaries> {
  const row = await readKeptReport(scope, testId, createdAt);
  const report = row === undefined ? null : parseReport(row.report);
  const faults = report?.judgment.findings.filter(isAboveInfo) ?? [];
  return new Map(faults.map(({ id, says }) => [id, says.slice(0, longest).toWellFormed()]));
}
