// What TLS reports count for a domain over days, as report-sources.ts does for DMARC.

import { sql } from "kysely";
import { type DomainDays, isNameWithin } from "./report-sources.ts";
import type { Scope } from "./scope.ts";

function selectPolicies(scope: Scope, { domain, registrableDomain, from, to }: DomainDays) {
  return scope
    .selectFrom("tls_policies")
    .where("tls_policies.registrable_domain", "=", registrableDomain)
    .where("tls_policies.day", ">=", from)
    .where("tls_policies.day", "<=", to)
    .where(isNameWithin("tls_policies.domain", domain));
}

export type TlsDaySums = { readonly day: number; readonly sessions: number; readonly failed: number };

/** Days without a report are left out. */
export async function sumTlsByDay(scope: Scope, asked: DomainDays): Promise<TlsDaySums[]> {
  return await selectPolicies(scope, asked)
    .select(["day", sql<number>`sum(successful + failed)`.as("sessions")])
    .select(({ fn }) => fn.sum<number>("failed").as("failed"))
    .groupBy("day")
    .orderBy("day")
    .execute();
}

export async function countTlsReports(scope: Scope, asked: DomainDays): Promise<number> {
  const { reports } = await selectPolicies(scope, asked)
    .select(sql<number>`count(distinct report_id)`.as("reports"))
    .executeTakeFirstOrThrow();
  return reports;
}

export type TlsFailureSums = {
  readonly result_type: string | null;
  readonly mx_host: string | null;
  readonly organization: string | null;
  readonly sessions: number;
};

/** By who tells of them; what failed most first. */
export async function sumTlsFailures(
  scope: Scope,
  asked: DomainDays,
  limit: number,
): Promise<TlsFailureSums[]> {
  return await selectPolicies(scope, asked)
    .innerJoin("tls_failures", (join) =>
      join
        .onRef("tls_failures.report_id", "=", "tls_policies.report_id")
        .onRef("tls_failures.policy", "=", "tls_policies.number"),
    )
    .innerJoin("mail_reports", "mail_reports.id", "tls_policies.report_id")
    .select(["result_type", "mx_host", "organization"])
    .select(({ fn }) => fn.sum<number>("sessions").as("sessions"))
    .groupBy(["result_type", "mx_host", "organization"])
    .orderBy("sessions", "desc")
    .orderBy("result_type")
    .orderBy("mx_host")
    .orderBy("organization")
    .limit(limit)
    .execute();
}
