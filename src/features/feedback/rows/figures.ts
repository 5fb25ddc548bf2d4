// The figures of a domain's feedback over a range of days, from reports and notices whose sender was authenticated.
// These queries are slow and belong in readInWorker. Each returns a bounded number of rows, largest first.

import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { BounceClass } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { ReportCounts } from "../rules/coach-criteria.ts";
import type { ReporterDay } from "../rules/detect-complaints.ts";
import type { FeedbackProvider } from "../rules/providers.ts";
import { isNameWithin } from "./report-sources.ts";

export type AskedFigures = {
  readonly domain: string;
  readonly registrableDomain: string;
  /** Monitored domains below it, which have their own figures. */
  readonly others: readonly string[];
  readonly from: number;
  readonly to: number;
};

export const mostRows = 20_000;
const mostReporterDays = 5_000;

type Joined = SelectQueryBuilder<Schema, "mail_reports" | "report_sources", object>;

const aboutDomain = "report_sources.header_from";

function selectSources(scope: Scope, { domain, registrableDomain, others, from, to }: AskedFigures): Joined {
  let joined = scope
    .selectFrom("mail_reports")
    .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id")
    .where("mail_reports.registrable_domain", "=", registrableDomain)
    .where("mail_reports.day", ">=", from)
    .where("mail_reports.day", "<=", to)
    .where("mail_reports.sender_authenticated", "=", 1)
    .where("mail_reports.counted_as", "is not", null)
    .where(({ or }) => or([isNameWithin("mail_reports.domain", domain), isNameWithin(aboutDomain, domain)])) as Joined;
  for (const other of others)
    joined = joined.where(({ or, not, eb }) =>
      or([eb(aboutDomain, "is", null), not(isNameWithin(aboutDomain, other))]),
    );
  return joined;
}

export type SourceRow = {
  readonly day: number;
  readonly reporter: string;
  readonly source_ip: string | null;
  readonly header_from: string | null;
  readonly dkim: string;
  readonly spf: string;
  readonly reasons: string;
  readonly proved_spf: string | null;
  readonly proved_dkim: string | null;
  readonly dkim_aligned: number;
  readonly spf_aligned: number;
  readonly messages: number;
};

const words = [
  "source_ip",
  "header_from",
  "dkim",
  "spf",
  "reasons",
  "proved_spf",
  "proved_dkim",
  "dkim_aligned",
  "spf_aligned",
] as const;

/** Ordered by this, all reporters get the same share of the rows. One that reports many can't push out the others. */
function placeWithinReporter(order: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`row_number() over (partition by mail_reports.sender_domain order by ${order})`;
}

export async function listFeedbackRows(scope: Scope, asked: AskedFigures, limit = mostRows): Promise<SourceRow[]> {
  const rows = await selectSources(scope, asked)
    .select(["mail_reports.day", "mail_reports.sender_domain as reporter", ...words])
    .select(sql<number>`sum(messages)`.as("messages"))
    .groupBy(["mail_reports.day", "mail_reports.sender_domain", ...words])
    .orderBy(placeWithinReporter(sql`sum(messages) desc, mail_reports.day, source_ip`))
    .orderBy("messages", "desc")
    .orderBy("mail_reports.sender_domain")
    .limit(limit)
    .$castTo<SourceRow>()
    .execute();
  return rows.sort((one, other) => other.messages - one.messages || one.day - other.day);
}

export async function sumByReporterDay(
  scope: Scope,
  asked: AskedFigures,
  limit = mostReporterDays,
): Promise<ReporterDay[]> {
  const sums = await selectSources(scope, asked)
    .select(["mail_reports.sender_domain as reporter", "mail_reports.day"])
    .select([
      sql<number>`min(mail_reports.received_at)`.as("arrivedAt"),
      sql<number>`sum(messages)`.as("messages"),
      sql<number>`sum(case when dkim_aligned + spf_aligned > 0 then messages else 0 end)`.as("passed"),
    ])
    .groupBy(["mail_reports.sender_domain", "mail_reports.day"])
    .orderBy(placeWithinReporter(sql`sum(messages) desc, mail_reports.day`))
    .orderBy("messages", "desc")
    .orderBy("mail_reports.sender_domain")
    .limit(limit)
    .$castTo<ReporterDay>()
    .execute();
  return sums.sort((one, other) => other.messages - one.messages || one.day - other.day);
}

/** Whether any of these addresses sent as the domain. */
export async function hasSent(scope: Scope, asked: AskedFigures, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return false;
  const row = await selectSources(scope, asked)
    .where("source_ip", "in", addresses)
    .select("mail_reports.id")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** All DMARC reports about the registrable domain, also those that aren't authenticated. */
export async function countReports(scope: Scope, asked: AskedFigures): Promise<ReportCounts> {
  return await scope
    .selectFrom("mail_reports")
    .where("registrable_domain", "=", asked.registrableDomain)
    .where("day", ">=", asked.from)
    .where("day", "<=", asked.to)
    .where("counted_as", "is not", null)
    .where("type", "=", "dmarc")
    .where(({ or, exists, selectFrom }) =>
      or([
        isNameWithin("mail_reports.domain", asked.domain),
        // Reports about a parent domain count mail of those below it.
        exists(
          selectFrom("report_sources")
            .select("report_sources.report_id")
            .whereRef("report_sources.report_id", "=", "mail_reports.id")
            .where(isNameWithin(aboutDomain, asked.domain)),
        ),
      ]),
    )
    .select([
      sql<number>`count(*)`.as("all"),
      sql<number>`coalesce(sum(case when sender_authenticated = 1 then 1 else 0 end), 0)`.as("authenticated"),
    ])
    .executeTakeFirstOrThrow();
}

type EvidenceReports = AskedFigures & { readonly type: "dmarc" | "tls"; readonly reporters: readonly string[] };

const mostReports = 10;

/** IDs of the reports that evidence is from, those with the most failures first. */
export async function listEvidenceReports(scope: Scope, asked: EvidenceReports): Promise<string[]> {
  if (asked.reporters.length === 0) return [];
  const rows = await scope
    .selectFrom("mail_reports")
    .where("registrable_domain", "=", asked.registrableDomain)
    .where("day", ">=", asked.from)
    .where("day", "<=", asked.to)
    .where("type", "=", asked.type)
    .where("sender_authenticated", "=", 1)
    .where("counted_as", "is not", null)
    .where("sender_domain", "in", asked.reporters)
    .where(isNameWithin("domain", asked.domain))
    .select("id")
    .orderBy("failed", "desc")
    .orderBy("id", "desc")
    .limit(mostReports)
    .execute();
  return rows.map(({ id }) => id);
}

// TLS.

function selectPolicies(scope: Scope, { domain, registrableDomain, others, from, to }: AskedFigures) {
  let joined = scope
    .selectFrom("tls_policies")
    .innerJoin("mail_reports", "mail_reports.id", "tls_policies.report_id")
    .where("tls_policies.registrable_domain", "=", registrableDomain)
    .where("tls_policies.day", ">=", from)
    .where("tls_policies.day", "<=", to)
    .where("mail_reports.sender_authenticated", "=", 1)
    .where(isNameWithin("tls_policies.domain", domain));
  for (const other of others) joined = joined.where(({ not }) => not(isNameWithin("tls_policies.domain", other)));
  return joined;
}

type TlsSums = { reporter: string; day: number; arrivedAt: number; sessions: number; failed: number };

export async function sumTlsByReporterDay(scope: Scope, asked: AskedFigures): Promise<TlsSums[]> {
  return await selectPolicies(scope, asked)
    .select(["mail_reports.sender_domain as reporter", "tls_policies.day"])
    .select([
      sql<number>`min(mail_reports.received_at)`.as("arrivedAt"),
      sql<number>`sum(tls_policies.successful + tls_policies.failed)`.as("sessions"),
      sql<number>`sum(tls_policies.failed)`.as("failed"),
    ])
    .groupBy(["mail_reports.sender_domain", "tls_policies.day"])
    .orderBy("sessions", "desc")
    .orderBy("tls_policies.day")
    .orderBy("mail_reports.sender_domain")
    .limit(mostReporterDays)
    .$castTo<TlsSums>()
    .execute();
}

type TlsFailureSums = {
  reporter: string;
  day: number;
  resultType: string | null;
  mxHost: string | null;
  sessions: number;
};

export async function sumTlsFailuresByDay(scope: Scope, asked: AskedFigures): Promise<TlsFailureSums[]> {
  return await selectPolicies(scope, asked)
    .innerJoin("tls_failures", (join) =>
      join
        .onRef("tls_failures.report_id", "=", "tls_policies.report_id")
        .onRef("tls_failures.policy", "=", "tls_policies.number"),
    )
    .select(["mail_reports.sender_domain as reporter", "tls_policies.day"])
    .select(["result_type as resultType", "mx_host as mxHost"])
    .select(sql<number>`sum(tls_failures.sessions)`.as("sessions"))
    .groupBy(["mail_reports.sender_domain", "tls_policies.day", "result_type", "mx_host"])
    .orderBy("sessions", "desc")
    .orderBy("tls_policies.day")
    .orderBy("mail_reports.sender_domain")
    .orderBy("result_type")
    .orderBy("mx_host")
    .limit(mostReporterDays)
    .$castTo<TlsFailureSums>()
    .execute();
}

// Bounces and complaints.

type NoticeSums = {
  day: number;
  kind: "bounce" | "complaint";
  class: BounceClass;
  reporter: string;
  authenticated: number;
  count: number;
};

export async function sumNoticesByDay(scope: Scope, asked: AskedFigures): Promise<NoticeSums[]> {
  let notices = scope
    .selectFrom("feedback_notices")
    .where("registrable_domain", "=", asked.registrableDomain)
    .where("day", ">=", asked.from)
    .where("day", "<=", asked.to)
    .where(isNameWithin("domain", asked.domain));
  for (const other of asked.others) notices = notices.where(({ not }) => not(isNameWithin("domain", other)));
  return await notices
    .select(["day", "kind", "class", "reporter", "authenticated"])
    .select(sql<number>`sum(count)`.as("count"))
    .groupBy(["day", "kind", "class", "reporter", "authenticated"])
    .orderBy("count", "desc")
    .orderBy("day")
    .orderBy("kind")
    .orderBy("class")
    .orderBy("reporter")
    .orderBy("authenticated")
    .limit(mostReporterDays)
    .$castTo<NoticeSums>()
    .execute();
}

type DeliveredSums = { provider: FeedbackProvider; day: number; delivered: number };

/** What providers delivered, by their webhooks. */
export async function sumDeliveredByDay(scope: Scope, asked: AskedFigures): Promise<DeliveredSums[]> {
  let volumes = scope
    .selectFrom("feedback_volumes")
    .where("day", ">=", asked.from)
    .where("day", "<=", asked.to)
    .where("delivered", ">", 0)
    .where(isNameWithin("domain", asked.domain));
  for (const other of asked.others) volumes = volumes.where(({ not }) => not(isNameWithin("domain", other)));
  return await volumes
    .select(["provider", "day"])
    .select(sql<number>`sum(delivered)`.as("delivered"))
    .groupBy(["provider", "day"])
    .$castTo<DeliveredSums>()
    .execute();
}
