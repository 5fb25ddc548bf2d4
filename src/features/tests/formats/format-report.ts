// A report of a test or a domain in each of the formats. The server and the command line both call this, so that a
// command prints the same wherever the report comes from.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { toDoorWords, toRecordWords, toUnknownWords, toVerdictWords } from "../../../analyzer/reports/door.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import { toJudgedWords } from "../../../analyzer/words/kind-words.ts";
import { toTable } from "../../../platform/table.ts";
import { toDomainReportJson } from "../../domains/contract/domain-report.ts";
import { toReportJson } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-formats.ts";
import { toDoor } from "../contract/transport.ts";
import { toDomainText } from "./domain-text.ts";
import { toJudgmentText } from "./judgment-text.ts";
import { toJunit } from "./junit.ts";
import { toDomainMarkdown, toReportMarkdown } from "./markdown.ts";
import { toReportRows } from "./report-rows.ts";
import { toSarif } from "./sarif.ts";
import type { Style } from "./style.ts";

/** The test that a report is about. */
type TestHead = { readonly id: string; readonly label: string | null; readonly received_at: number };

/** Ends with a line break. */
export function formatReport(test: TestHead, report: Report, format: ReportFormat, style: Style): string {
  const { id, label } = test;
  const judged = [{ name: label ?? id, path: null, report }];
  if (format === "junit") return toJunit(judged);
  if (format === "sarif") return `${JSON.stringify(toSarif(judged))}\n`;
  const rows = toDoorRows(report);
  if (format === "markdown") return toReportMarkdown(label ?? id, report, rows);
  if (format === "text") return toReportText([["Test", id], ...rows], report, { ...style, isStored: true });
  const received_at = new Date(test.received_at).toISOString();
  const door = report.door && { transport: { door: toDoor(report.door) } };
  return `${JSON.stringify({ id, label, received_at, ...door, ...toReportJson(report, checkCatalog) })}\n`;
}

/** Ends with a line break. */
export function formatDomainReport(report: DomainReport, format: ReportFormat, style: Style): string {
  const judged = [{ name: report.domain, path: null, report }];
  if (format === "junit") return toJunit(judged);
  if (format === "sarif") return `${JSON.stringify(toSarif(judged))}\n`;
  if (format === "markdown") return toDomainMarkdown(report);
  if (format === "text") return `${toDomainText(report, style)}\n`;
  return `${JSON.stringify(toDomainReportJson(report, checkCatalog))}\n`;
}

/** `rows` come first in the header. */
export function toReportText(rows: readonly string[][], report: Report, style: Style): string {
  const { columns } = style;
  const parts = [
    toTable([...rows, ...toHead(report)], columns),
    toJudgmentText(report, style),
    `${style.paint("strong", "Evidence")}\n${toTable(toReportRows(report, style), columns)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** How the message came in, unless over SMTP, and what that door can't know. */
function toDoorRows({ door }: Report): string[][] {
  if (door === undefined) return [];
  const records = [toRecordWords(door), toVerdictWords(door)].filter((words) => words !== null);
  return [
    ["Came in", `${toDoorWords(door)}.`],
    ...records.map((words) => ["On record", `${words}.`]),
    ["Not known", `${toUnknownWords(door).join("; ")}.`],
  ];
}

type Head = Pick<Report, "from" | "subject"> & Partial<Pick<Report, "analysis">>;

export function toHead({ from, subject, analysis }: Head): string[][] {
  const judged = toJudgedWords(analysis?.judgedAt ?? 0, analysis?.judgedFrom ?? null);
  return [["From", from ?? "(none)"], ["Subject", subject ?? "(none)"], ...(judged === null ? [] : [["Time", judged]])];
}
