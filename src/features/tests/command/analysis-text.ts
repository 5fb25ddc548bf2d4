// An analysis as text and as JSON.

import type { Analysis } from "../../../analyzer/analyze-message.ts";
import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import type { MailReport, Notice, Recognised } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Forwarding } from "../../../analyzer/reports/forwarding.ts";
import { toForwardingSummary } from "../../../analyzer/reports/forwarding-sentences.ts";
import type { SecondReading } from "../../../analyzer/reports/second-reading.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { toTable } from "../../../platform/table.ts";
import { toForwardingPrediction } from "../contract/forwarding.ts";
import { toReportJson } from "../contract/report.ts";
import { toSecondReading } from "../contract/second-reading.ts";
import { toHead, toReportText } from "../formats/format-report.ts";
import { toSecondReaderText } from "../formats/second-reader-text.ts";
import type { Style } from "../formats/style.ts";

/** `file` is null if there is only one. */
/** With what a second reader made of it, if that was asked for. */
export type TwiceRead = Analysis & { readonly second?: SecondReading | null; readonly forwarding?: Forwarding | null };

export function toJson({ recognised, report, second, forwarding }: TwiceRead, file: string | null): object {
  const fields = report ? toReportJson(report, checkCatalog) : toFields(recognised);
  return {
    ...(file === null ? {} : { file }),
    kind: recognised.kind,
    ...fields,
    ...(forwarding && { forwarding: toForwardingPrediction(forwarding, report?.judgment) }),
    ...(second && { second_reader: toSecondReading(second) }),
  };
}

export function toText(
  { message, report, recognised, second, forwarding }: TwiceRead,
  file: string | null,
  style: Style,
): string {
  const heading = file === null ? "" : `${style.paint("strong", toVisible(file))}\n\n`;
  const body = report
    ? toReportText([], report, style)
    : `${toTable([...toHead(message), ...toFindings(recognised)], style.columns)}\n`;
  // A message without a signature yet needs no sentence about it.
  const isForeseen = forwarding && forwarding.gap !== "unsent";
  const onward = isForeseen ? `\nForwarding (predicted): ${toForwardingSummary(forwarding)}\n` : "";
  const more = second ? toSecondReaderText(toSecondReading(second), style) : "";
  return `${heading}${body}${onward}${more}${file === null ? "" : "\n"}`;
}

/** A bounce as in `GET /api/bounces`, a report as in `GET /api/reports/:id`, without the fields that only a server knows. */
function toFields(recognised: Recognised): object {
  if (recognised.kind === "report") {
    const { report, more } = recognised;
    return { ...toReportFields(report), ...(more && { more: more.map(toReportFields) }) };
  }
  if (!("notice" in recognised)) return {};
  const { originalAssayId: _, originalDomain: __, ...fields } = recognised.notice;
  return fields;
}

function toReportFields(report: MailReport): object {
  return { ...report, beginsAt: toTimestamp(report.beginsAt), endsAt: toTimestamp(report.endsAt) };
}

const latestTime = 8_640_000_000_000_000;

function toTimestamp(time: number | null): string | null {
  return time === null || Math.abs(time) > latestTime ? null : new Date(time).toISOString();
}

function toFindings(recognised: Recognised): string[][] {
  if (recognised.kind === "report") return [recognised.report, ...(recognised.more ?? [])].flatMap(reportRows);
  if ("notice" in recognised) return noticeRows(recognised.kind, recognised.notice);
  return [["Type", "automatic reply"]];
}

function noticeRows(kind: string, notice: Notice): string[][] {
  const facts: readonly [string, string | null][] = [
    ["Reporting host", notice.reportingMta],
    ["Feedback", notice.feedbackType],
    ["Source address", notice.sourceIp],
    ["Message-ID", notice.originalMessageId],
  ];
  const recipients = notice.recipients.map((recipient) => [
    "Recipient",
    recipient.address ?? "(hidden)",
    ...(kind === "bounce"
      ? [
          [recipient.action, recipient.class, recipient.hard ? "hard" : "soft", recipient.status]
            .filter((word) => word !== null)
            .join(", "),
          recipient.diagnostic ?? "",
        ]
      : []),
  ]);
  return [["Type", kind], ...facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]])), ...recipients];
}

function reportRows(report: MailReport): string[][] {
  const counted = report.type === "dmarc" ? "messages" : "sessions";
  return [
    ["Type", `${report.type === "dmarc" ? "DMARC" : "TLS"} report`],
    ["Organization", report.organization ?? "(none)"],
    ["Domain", report.domain ?? "(none)"],
    ["Report ID", report.reportId ?? "(none)"],
    ["Period", `${toTimestamp(report.beginsAt) ?? "?"} to ${toTimestamp(report.endsAt) ?? "?"}`],
    report.problem === null
      ? ["Result", `${report.total} ${counted}, ${report.failed} failed`]
      : ["Problem", report.problem],
  ];
}
