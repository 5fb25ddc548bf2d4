// An analysis for a person, and for machines.

import { toReportJson } from "../api/report.ts";
import type { Arc, Dkim, SpfResult } from "../checks/authentication-facts.ts";
import type { Fact, Why } from "../checks/fact.ts";
import type { MailReport, Notice, Recognised } from "../mail/recognised.ts";
import type { Report } from "../reports/report.ts";
import type { Analysis } from "../tasks/analyze-message.ts";
import { toVisible } from "../visible-text.ts";
import { toTable } from "./table.ts";

/** `file` is said among several. */
export function toJson({ recognised, report }: Analysis, file: string | null): object {
  const fields = report ? toReportJson(report) : toFields(recognised);
  return { ...(file === null ? {} : { file }), kind: recognised.kind, ...fields };
}

export function toText(analysis: Analysis, file: string | null): string {
  const heading = file === null ? "" : `${toVisible(file)}:\n`;
  const { message, report } = analysis;
  const head = [
    ["From", message.from ?? "(none)"],
    ["Subject", message.subject ?? "(none)"],
  ];
  const rows = report ? toVerdicts(report) : toFindings(analysis.recognised);
  return `${heading}${toTable([...head, ...rows])}\n${file === null ? "" : "\n"}`;
}

/** A bounce as in `GET /api/bounces`, a report as in `GET /api/reports`, without what only a server knows. */
function toFields(recognised: Recognised): object {
  if (recognised.kind === "report") return toReportFields(recognised.report);
  if (!("notice" in recognised)) return {};
  const { originalAssayId: _, ...fields } = recognised.notice;
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
  if (recognised.kind === "report") return reportRows(recognised.report);
  if ("notice" in recognised) return noticeRows(recognised.kind, recognised.notice);
  return [["Kind", "automatic reply"]];
}

function noticeRows(kind: string, notice: Notice): string[][] {
  const facts: readonly [string, string | null][] = [
    ["Reporting host", notice.reportingMta],
    ["Feedback", notice.feedbackType],
    ["Source address", notice.sourceIp],
    ["Original", notice.originalMessageId],
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
  return [
    ["Kind", kind],
    ...facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ...recipients,
  ];
}

function reportRows(report: MailReport): string[][] {
  const counted = report.type === "dmarc" ? "messages" : "sessions";
  return [
    ["Kind", `${report.type === "dmarc" ? "DMARC" : "TLS"} report`],
    ["From organization", report.organization ?? "(none)"],
    ["About", report.domain ?? "(none)"],
    ["Report", report.reportId ?? "(none)"],
    ["Time", `${toTimestamp(report.beginsAt) ?? "?"} to ${toTimestamp(report.endsAt) ?? "?"}`],
    report.problem === null
      ? ["Counted", `${report.total} ${counted}, ${report.failed} failed`]
      : ["Problem", report.problem],
  ];
}

function toVerdicts({ authentication, shortened }: Report): string[][] {
  const { spf, dkim, dmarc, dmarcResult, arc } = authentication;
  return [
    toRow("SPF", spf, (verdict) => [verdict.result, toSpfReason(verdict)]),
    ...(dkim.known ? toDkimRows(dkim.value) : [["DKIM", "unknown", dkim.why]]),
    toRow("DMARC", dmarcResult, (verdict) => [
      verdict.result,
      verdict.says ?? (dmarc.known ? dmarc.value.record : null) ?? "no record",
    ]),
    ...(arc.known && arc.value.present
      ? [["ARC", arc.value.result, arc.value.failure?.says ?? toSealers(arc.value)]]
      : []),
    ...shortened.map((sentence) => ["Not read", "", sentence]),
  ];
}

function toRow<T>(name: string, fact: Fact<T>, tell: (value: T) => [string, string]): string[] {
  return fact.known ? [name, ...tell(fact.value)] : [name, "unknown", whyWords[fact.why] ?? fact.why];
}

const whyWords: Readonly<Partial<Record<Why, string>>> = {
  "no-session": "give --ip, --helo and --mail-from",
  timeout: "DNS did not answer",
  servfail: "DNS failed",
  refused: "DNS refused to answer",
  budget: "there was no time left to ask",
};

function toSpfReason({ problem, matchedTerm, matchedIn, explanation, domain }: SpfResult): string {
  const decided = matchedTerm === null ? domain : `${matchedTerm} in the record of ${matchedIn}`;
  return [problem ?? decided, explanation].filter((text) => text !== null).join("; ");
}

function toDkimRows({ signatures }: Dkim): string[][] {
  if (signatures.length === 0) return [["DKIM", "none", "no signature"]];
  return signatures.map(({ result, domain, selector, aligned, says }) => {
    const name = `${selector ?? "?"}._domainkey.${domain ?? "?"}`;
    return ["DKIM", result, `${name}${aligned.relaxed ? ", aligned" : ""}${says ? `: ${says}` : ""}`];
  });
}

function toSealers({ sealers }: Arc): string {
  return `sealed by ${sealers.map(({ domain }) => domain ?? "?").join(", then ")}`;
}
