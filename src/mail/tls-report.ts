// A TLS report's JSON (RFC 8460 §4.4) → what it counts.

import type { MailReport } from "./recognised.ts";

const longestName = 500;
/** A report of thousands of failures is a tenth of it; of brackets alone, each parsed megabyte takes a hundred of memory. */
const longestJson = 4_194_304;

export function readTlsReport(json: string): MailReport | null {
  const report = json.length > longestJson ? null : parseObject(json);
  if (report === null || !Array.isArray(report.policies)) return null;
  const policies: readonly unknown[] = report.policies;
  const range = toObject(report["date-range"]);
  const summaries = policies.map((policy) => toObject(toObject(policy).summary));
  const sum = (name: string) =>
    summaries.reduce((total, summary) => total + toCount(summary[`total-${name}-session-count`]), 0);
  return {
    type: "tls",
    organization: toText(report["organization-name"]),
    reportId: toText(report["report-id"]),
    domain: toText(toObject(toObject(policies[0]).policy)["policy-domain"]),
    beginsAt: toTime(range["start-datetime"]),
    endsAt: toTime(range["end-datetime"]),
    total: sum("successful") + sum("failure"),
    failed: sum("failure"),
    problem: null,
  };
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, longestName) : null;
}

function toTime(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

function toCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
