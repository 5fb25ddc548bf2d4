// Reads what a TLS report's JSON counts (RFC 8460 §4.4).

import { isJsonObject, type JsonObject, parseJsonObject } from "../../json.ts";
import type { MailReport, TlsFailure, TlsPolicy } from "./mail-class.ts";
import {
  addCounts,
  createLargestRows,
  toCount,
  toReportedAddress,
  toReportedDomain,
  toReportedWord,
} from "./report-values.ts";

const longestName = 500;
const longestWord = 64;
/**
 * A report of thousands of failures has a tenth of it. JSON of nothing but brackets takes a hundred megabytes of memory
 * for each one parsed.
 */
const longestJson = 4_194_304;
/** A domain has one or two, and each is listed with its failures. */
const mostPolicies = 10;
const mostFailures = 50;

export function readTlsReport(json: string): MailReport | null {
  const report = json.length > longestJson ? null : parseJsonObject(json.replace(/^\ufeff/, ""));
  if (report === null || !Array.isArray(report.policies)) return null;
  const policies = (report.policies as readonly unknown[]).map(toObject);
  const range = toObject(report["date-range"]);
  const successful = policies.reduce((sum, policy) => addCounts(sum, countOf(policy, "successful")), 0);
  const failed = policies.reduce((sum, policy) => addCounts(sum, countOf(policy, "failure")), 0);
  return {
    type: "tls",
    organization: toText(report["organization-name"]),
    reportId: toText(report["report-id"]),
    domain: toDomain(toObject(policies[0]?.policy)["policy-domain"]),
    beginsAt: toTime(range["start-datetime"]),
    endsAt: toTime(range["end-datetime"]),
    total: addCounts(successful, failed),
    failed,
    problem: null,
    policy: null,
    sources: [],
    tlsPolicies: toPolicies(policies),
  };
}

function toPolicies(policies: readonly JsonObject[]): TlsPolicy[] {
  const listed = policies.slice(0, mostPolicies - 1).map((each) => toPolicy([each]));
  const others = policies.slice(mostPolicies - 1);
  if (others.length === 0) return listed;
  const isOne = others.length === 1;
  return [...listed, { ...toPolicy(others), ...(isOne ? {} : { type: null, domain: null }) }];
}

/** Several policies merged into one. */
function toPolicy(policies: readonly JsonObject[]): TlsPolicy {
  const { "policy-type": type, "policy-domain": domain } = toObject(policies[0]?.policy);
  const failures = createLargestRows<Omit<TlsFailure, "sessions">>(mostFailures, () => nameless);
  for (const { "failure-details": details } of policies)
    for (const detail of Array.isArray(details) ? (details as readonly unknown[]) : []) {
      const { row, count } = toFailure(toObject(detail));
      failures.add(row, count);
    }
  const sum = (name: string) => policies.reduce((total, each) => addCounts(total, countOf(each, name)), 0);
  return {
    type: toWord(type),
    domain: toDomain(domain),
    successful: sum("successful"),
    failed: sum("failure"),
    failures: failures.list().map(({ row, count }) => ({ ...row, sessions: count })),
  };
}

const nameless = { resultType: null, sendingIp: null, mxHost: null, receivingIp: null, reasonCode: null };

function toFailure(detail: JsonObject) {
  const row = {
    resultType: toWord(detail["result-type"]),
    sendingIp: toAddress(detail["sending-mta-ip"]),
    mxHost: toDomain(detail["receiving-mx-hostname"]),
    receivingIp: toAddress(detail["receiving-ip"]),
    reasonCode: toText(detail["failure-reason-code"])?.slice(0, longestReason) ?? null,
  };
  return { row, count: toCount(detail["failed-session-count"]) };
}

const longestReason = 200;

function countOf({ summary }: JsonObject, name: string): number {
  return toCount(toObject(summary)[`total-${name}-session-count`]);
}

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, longestName) : null;
}

function toWord(value: unknown): string | null {
  const text = toText(value);
  return text === null ? null : toReportedWord(text, longestWord);
}

function toDomain(value: unknown): string | null {
  const text = toText(value);
  return text === null ? null : toReportedDomain(text);
}

function toAddress(value: unknown): string | null {
  const text = toText(value);
  return text === null ? null : toReportedAddress(text);
}

function toTime(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}
