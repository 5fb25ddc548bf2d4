// The results of examinations (analysis/examinations.ts), as the app shows them.

import type { Forwarding } from "../../../analyzer/reports/forwarding.ts";
import type { SecondReading } from "../../../analyzer/reports/second-reading.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { type ForwardingPrediction, toForwardingPrediction } from "../contract/forwarding.ts";
import { type SecondReaderResult, toScannerScores, toSecondReading } from "../contract/second-reading.ts";
import { readExamination } from "../rows/examinations.ts";
import { readReport } from "../rows/reports.ts";

export async function readForwardingPrediction(scope: Scope, testId: string): Promise<ForwardingPrediction | null> {
  return await toKeptPrediction(scope, testId, await readExamination(scope, testId, "forwarding"));
}

export async function readSecondReading(scope: Scope, testId: string): Promise<KeptReading> {
  return await toKeptReading(scope, testId, await readExamination(scope, testId, "second-reader"));
}

type Examined = { readonly state: string; readonly result: string | null };

export async function toKeptPrediction(
  scope: Scope,
  testId: string,
  examined: Examined | undefined,
): Promise<ForwardingPrediction | null> {
  const text = toResult(examined);
  if (text === null) return null;
  const report = await readKeptReport(scope, testId);
  return toForwardingPrediction(JSON.parse(text) as Forwarding, report?.judgment);
}

type KeptReading = Pick<SecondReaderResult, "result" | "scanners">;

export async function toKeptReading(
  scope: Scope,
  testId: string,
  examined: Examined | undefined,
): Promise<KeptReading> {
  const text = toResult(examined);
  const report = await readKeptReport(scope, testId);
  return {
    result: text === null ? null : toSecondReading(JSON.parse(text) as SecondReading),
    scanners: report === null ? [] : toScannerScores(report.surroundings),
  };
}

async function readKeptReport(scope: Scope, testId: string) {
  const kept = await readReport(scope, testId);
  return kept === undefined ? null : parseReport(kept);
}

function toResult(examined: Examined | undefined): string | null {
  return examined?.state === "done" ? examined.result : null;
}
