// Converts a parsed report to database rows, with limits on untrusted text.

import { createHash } from "node:crypto";
import type { NoticeSender } from "../../../analyzer/facts/notice-sender.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { MailReport, ReportedSource, TlsFailure } from "../../../analyzer/mail/reports/mail-class.ts";
import { toStorable, toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { saysForwarded, toProved } from "../../../analyzer/senders/name-sender.ts";
import type { ReportRows } from "../../feedback/rows/mail-reports.ts";
import { dayMs, startOfDay } from "../../feedback/rules/problem.ts";
import type { MailReportsTable } from "../../feedback/tables.ts";

const longestText = 1_000;
/** A report that covers more than this counts for the day it begins. */
const longestSpanMs = 8 * dayMs;

/** A receiver's clock and time zone may differ. */
const mostAheadMs = 2 * dayMs;

type ReportColumns = Omit<
  MailReportsTable,
  "id" | "workspace_id" | "test_id" | "message_of" | "received_at" | "row_count"
>;

export function toReportColumns(report: MailReport, sender: NoticeSender, receivedAt: number): ReportColumns {
  const begins_at = toTime(report.beginsAt);
  const isAhead = begins_at !== null && begins_at > receivedAt + mostAheadMs;
  const problem = report.problem ?? (isAhead ? "Its period is in the future." : null);
  const columns = {
    type: report.type,
    organization: cut(report.organization),
    report_id: cut(report.reportId),
    domain: cut(report.domain),
    begins_at,
    ends_at: toTime(report.endsAt),
    total: toCount(report.total),
    failed: toCount(report.failed),
    problem: cut(problem),
    sender_domain: cut(sender.domain),
    sender_authenticated: sender.authenticated ? 1 : 0,
  };
  return {
    ...columns,
    registrable_domain: toRegistrable(columns.domain),
    policy: report.policy === null ? null : toStorableJson(report.policy),
    ...(problem === null
      ? { day: toDay(columns, receivedAt), counted_as: toKey(columns) }
      : { day: null, counted_as: null }),
  };
}

export function toReportRows({ domain, sources, tlsPolicies }: MailReport): Omit<ReportRows, "earlierKey"> {
  return {
    sources: sources.map((source, number) => toSourceRow(source, number, domain)),
    tlsPolicies: tlsPolicies.map(({ type, domain, successful, failed }, number) => ({
      number,
      type: cut(type),
      domain: cut(domain),
      registrable_domain: toRegistrable(cut(domain)),
      successful,
      failed,
    })),
    tlsFailures: tlsPolicies.flatMap(({ failures }, policy) =>
      failures.map((failure, number) => ({ policy, number, ...toFailureColumns(failure) })),
    ),
  };
}

function toSourceRow(source: ReportedSource, number: number, domain: string | null): ReportRows["sources"][number] {
  const proved = toProved(source, domain ?? source.headerFrom ?? "");
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
    proved_spf: cut(proved.spf),
    proved_dkim: cut(proved.dkim),
    forwarded: saysForwarded(source.reasons) ? 1 : 0,
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

/** The day at the middle of the period, because a receiver's day may begin in another time zone. */
function toDay({ begins_at, ends_at }: Pick<ReportColumns, "begins_at" | "ends_at">, receivedAt: number): number {
  const begin = begins_at ?? ends_at ?? receivedAt;
  const spanMs = (ends_at ?? begin) - begin;
  const middle = spanMs > 0 && spanMs <= longestSpanMs ? begin + spanMs / 2 : begin;
  return startOfDay(middle);
}

type KeyColumns = Omit<ReportColumns, "registrable_domain" | "day" | "policy" | "counted_as">;

/**
 * A report sent again has the same identifier (RFC 9990 §3.1.1.2). The key includes its period, because some receivers
 * never change their identifiers, and its sender, because others can guess them. Without one, equal counts mean the same
 * report.
 */
function toKey(columns: KeyColumns): string {
  return toHash([...toNameParts(columns), columns.sender_domain]);
}

/** The key that earlier versions stored, without the sender. */
export function toEarlierKey(columns: ReportColumns): string | null {
  return columns.counted_as === null ? null : toHash(toNameParts(columns));
}

function toNameParts({ type, organization, report_id, domain, begins_at, ends_at, ...counts }: KeyColumns) {
  return [type, organization, report_id ?? [counts.total, counts.failed], domain, begins_at, ends_at];
}

function toHash(known: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(known)).digest("base64url");
}

function toRegistrable(domain: string | null): string | null {
  return domain === null ? null : toStorable(toRegistrableDomain(domain));
}

/** Cleaned like all texts, because JSON escapes could bring back characters that databases cannot store. */
function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "string" ? toStorable(each) : each));
}

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestText);
}

/** Times after the year 9999 cannot be shown. */
function toTime(epochMs: number | null): number | null {
  const time = toCount(epochMs);
  return time !== null && time < Date.UTC(10_000, 0) ? time : null;
}

/** Untrusted sums may be fractions or too large for the database. */
function toCount(count: number | null): number | null {
  return Number.isSafeInteger(count) && (count ?? -1) >= 0 ? count : null;
}
