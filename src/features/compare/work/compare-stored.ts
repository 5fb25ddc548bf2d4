// Compares stored reports. Runs in the thread for web views: a report may be megabytes of JSON, and each test keeps
// twenty.

import { parseSessionText } from "../../../analyzer/mail/session/session-text.ts";
import { type Comparison, compareReports } from "../../../analyzer/reports/compare.ts";
import type { Side } from "../../../analyzer/reports/compare-mail.ts";
import { type Report, toResultWords } from "../../../analyzer/reports/report.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";

/** What was known about the test when it arrived. */
export type StoredTest = { readonly receivedAt: number; readonly label: string | null; readonly session: string };
export type StoredSide = StoredTest & { readonly report: string };

/** Null if an earlier version wrote one of the reports in an unreadable format. */
export function compareStored(before: StoredSide, after: StoredSide): Comparison | null {
  const sides = [toSide(before), toSide(after)] as const;
  return sides[0] && sides[1] ? compareReports(sides[0], sides[1]) : null;
}

function toSide({ report: json, session, receivedAt, label }: StoredSide): Side | null {
  const report = parseReport(json);
  return report && { report, session: parseSessionText(session), receivedAt, label };
}

export type ReportSummary = ReturnType<typeof toResultWords> & {
  readonly createdAt: number;
  readonly version: string;
  readonly isReplay: boolean;
  readonly composite: number | null;
  /** Compared with the previous report; null for the first. */
  readonly changed: Pick<Comparison, "causes" | "says"> | null;
};

type Dated = { readonly createdAt: number; readonly report: string };

/** Newest first, without reports in a format we can no longer read. */
export function summarizeReports(test: StoredTest, reports: readonly Dated[]): ReportSummary[] {
  const session = parseSessionText(test.session);
  const read = reports.flatMap(({ createdAt, report: json }) => {
    const report = parseReport(json);
    return report ? [{ createdAt, side: { ...test, report, session } }] : [];
  });
  return read.map(({ createdAt, side }, index) => {
    const before = read[index + 1];
    return { createdAt, ...summarize(side.report), changed: before ? toBrief(before.side, side) : null };
  });
}

function summarize(report: Report): Omit<ReportSummary, "createdAt" | "changed"> {
  const { version, isReplay } = report.analysis;
  return { version, isReplay, composite: report.judgment.score.composite, ...toResultWords(report) };
}

const briefSentences = 4;

function toBrief(before: Side, after: Side): Pick<Comparison, "causes" | "says"> {
  const { causes, says } = compareReports(before, after);
  return { causes, says: says.slice(0, briefSentences) };
}
