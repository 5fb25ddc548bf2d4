// A report as it was read → the rows that it is kept as, as far as databases and lists bear what strangers write.

import { createHash } from "node:crypto";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { MailReport, ReportedSource, TlsFailure } from "../../mail/reports/mail-class.ts";
import { toStorable, toStorableCut } from "../../mail/text/bounds.ts";
import type { ReportRows } from "../../store/mail-reports/mail-reports.ts";
import type { MailReportsTable } from "../../store/schema/reports.ts";

// Days of UTC, as reports have them: each told by when it begins.

export const dayMs = 86_400_000;

export function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / dayMs) * dayMs;
}

/** Both ends are among them. */
export function listDays({ from, to }: { readonly from: number; readonly to: number }): number[] {
  return Array.from({ length: (to - from) / dayMs + 1 }, (_, index) => from + index * dayMs);
}

export function toDate(dayAt: number): string {
  return new Date(dayAt).toISOString().slice(0, 10);
}

const longestText = 1_000;
/** Standing for more than a week it tells no day, and counts as that on which it begins. */
const longestSpanMs = 8 * dayMs;

type ReportColumns = Omit<MailReportsTable, "id" | "workspace_id" | "test_id" | "received_at" | "row_count">;

export function toReportColumns(report: MailReport, receivedAt: number): ReportColumns {
  const columns = {
    type: report.type,
    organization: cut(report.organization),
    report_id: cut(report.reportId),
    domain: cut(report.domain),
    begins_at: toTime(report.beginsAt),
    ends_at: toTime(report.endsAt),
    total: toCount(report.total),
    failed: toCount(report.failed),
    problem: cut(report.problem),
  };
  return {
    ...columns,
    registrable_domain: toRegistrable(columns.domain),
    policy: report.policy === null ? null : toStorableJson(report.policy),
    ...(report.problem === null
      ? { day: toDay(columns, receivedAt), counted_as: toKey(columns) }
      : { day: null, counted_as: null }),
  };
}

export function toReportRows({ sources, tlsPolicies }: MailReport): ReportRows {
  return {
    sources: sources.map(toSourceRow),
    tlsPolicies: tlsPolicies.map(({ type, domain, successful, failed }, number) => ({
      ...{ number, type: cut(type), domain: cut(domain), registrable_domain: toRegistrable(cut(domain)) },
      ...{ successful, failed },
    })),
    tlsFailures: tlsPolicies.flatMap(({ failures }, policy) =>
      failures.map((failure, number) => ({ policy, number, ...toFailureColumns(failure) })),
    ),
  };
}

function toSourceRow(source: ReportedSource, number: number): ReportRows["sources"][number] {
  return {
    number,
    source_ip: source.sourceIp,
    header_from: cut(source.headerFrom),
    messages: source.messages,
    disposition: source.disposition,
    dkim_aligned: source.dkimAligned ? 1 : 0,
    spf_aligned: source.spfAligned ? 1 : 0,
    dkim: toStorableJson(source.dkim),
    spf: toStorableJson(source.spf),
    reasons: toStorableJson(source.reasons),
  };
}

function toFailureColumns({ resultType, sendingIp, mxHost, receivingIp, reasonCode, sessions }: TlsFailure) {
  return {
    result_type: cut(resultType),
    sending_ip: sendingIp,
    mx_host: cut(mxHost),
    receiving_ip: receivingIp,
    reason_code: cut(reasonCode),
    sessions,
  };
}

/** That of the middle of its time: a receiver's day begins at midnight somewhere. */
function toDay(
  { begins_at, ends_at }: Pick<ReportColumns, "begins_at" | "ends_at">,
  receivedAt: number,
): number {
  const begin = begins_at ?? ends_at ?? receivedAt;
  const spanMs = (ends_at ?? begin) - begin;
  const middle = spanMs > 0 && spanMs <= longestSpanMs ? begin + spanMs / 2 : begin;
  return startOfDay(middle);
}

/**
 * What is sent again bears the same identifier (RFC 9990 §3.1.1.2). Its time too, because some receivers never change
 * theirs; where there is none, it is the same when it counts the same.
 */
function toKey(columns: Omit<ReportColumns, "registrable_domain" | "day" | "policy" | "counted_as">): string {
  const { type, organization, report_id, domain, begins_at, ends_at, total, failed } = columns;
  const name = report_id ?? [total, failed];
  const known = JSON.stringify([type, organization, name, domain, begins_at, ends_at]);
  return createHash("sha256").update(known).digest("base64url");
}

function toRegistrable(domain: string | null): string | null {
  return domain === null ? null : toStorable(toRegistrableDomain(domain));
}

/** As all other texts: what no database keeps would come back from an escape. */
function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "string" ? toStorable(each) : each));
}

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestText);
}

/** Beyond the year 9999 no answer can show it. */
function toTime(epochMs: number | null): number | null {
  const time = toCount(epochMs);
  return time !== null && time < Date.UTC(10_000, 0) ? time : null;
}

/** Strangers' sums can pass every bound, and no database keeps half a message. */
function toCount(count: number | null): number | null {
  return Number.isSafeInteger(count) && (count ?? -1) >= 0 ? count : null;
}
