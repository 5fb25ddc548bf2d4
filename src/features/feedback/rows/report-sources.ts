// A domain's DMARC reports over a range of days: the domain and its subdomains, by the reported domain or by the From
// of the messages, because a parent domain's policy covers both. Every sum reads a range of one index. These queries
// are slow and belong in readInWorker.

import { type SelectQueryBuilder, sql } from "kysely";
import type { Disposition } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";

export type DomainDays = {
  readonly domain: string;
  readonly registrableDomain: string;
  /** The beginnings of the first and the last day. */
  readonly from: number;
  readonly to: number;
  /** Only authenticated reports from these domains. Left out: all reports. */
  readonly reporters?: readonly string[] | undefined;
};

type Joined = SelectQueryBuilder<Schema, "mail_reports" | "report_sources", object>;

function selectSources(scope: Scope, { domain, registrableDomain, from, to, reporters }: DomainDays): Joined {
  const joined = scope
    .selectFrom("mail_reports")
    .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id") as Joined;
  return joined
    .where("mail_reports.registrable_domain", "=", registrableDomain)
    .where("mail_reports.day", ">=", from)
    .where("mail_reports.day", "<=", to)
    .$if(reporters !== undefined, (query) =>
      query
        .where("mail_reports.sender_authenticated", "=", 1)
        .where("mail_reports.sender_domain", "in", reporters ?? []),
    )
    .where(({ or }) =>
      or([isNameWithin("mail_reports.domain", domain), isNameWithin("report_sources.header_from", domain)]),
    );
}

/** The domain itself or one of its subdomains. */
export function isNameWithin(column: string, domain: string) {
  const below = `%.${domain.replace(/[%_!]/g, "!$&")}`;
  return sql<boolean>`(${sql.ref(column)} = ${domain} or ${sql.ref(column)} like ${below} escape '!')`;
}

export type SourceSums = {
  readonly messages: number;
  /** On at least one identifier. */
  readonly passed: number;
  readonly dkimAligned: number;
  readonly spfAligned: number;
} & { readonly [Name in Disposition]: number };

const sums = {
  messages: sql<number>`sum(messages)`,
  passed: sql<number>`sum(case when dkim_aligned + spf_aligned > 0 then messages else 0 end)`,
  dkimAligned: sql<number>`sum(messages * dkim_aligned)`,
  spfAligned: sql<number>`sum(messages * spf_aligned)`,
  none: sumWhere("none"),
  quarantine: sumWhere("quarantine"),
  reject: sumWhere("reject"),
};

function sumWhere(disposition: Disposition) {
  return sql<number>`sum(case when disposition = ${sql.lit(disposition)} then messages else 0 end)`;
}

const sumColumns = Object.entries(sums).map(([name, sum]) => sum.as(name as keyof typeof sums));

export type DaySums = SourceSums & { readonly day: number };

/** Days without a report are left out. */
export async function sumSourcesByDay(scope: Scope, asked: DomainDays): Promise<DaySums[]> {
  return await selectSources(scope, asked)
    .select(["day", ...sumColumns])
    .groupBy("day")
    .orderBy("day")
    .$castTo<DaySums>()
    .execute();
}

/** What rows of one address prove. */
export type GroupSums = SourceSums & {
  /** Null: the small rows of large reports. */
  readonly sourceIp: string | null;
  readonly spf: string | null;
  readonly dkim: string | null;
  readonly forwarded: number;
  readonly firstDay: number;
  readonly lastDay: number;
};

const groupColumns = ["source_ip as sourceIp", "proved_spf as spf", "proved_dkim as dkim"] as const;
const groupedBy = ["source_ip", "proved_spf", "proved_dkim"] as const;

/** Most messages first. */
export async function sumSourcesByGroup(scope: Scope, asked: DomainDays, limit: number): Promise<GroupSums[]> {
  return await selectSources(scope, asked)
    .select([...groupColumns, ...sumColumns])
    .select(
      sql<number>`sum(case when dkim_aligned + spf_aligned > 0 then 0 else messages * coalesce(forwarded, 0) end)`.as(
        "forwarded",
      ),
    )
    .select(({ fn }) => [fn.min("day").as("firstDay"), fn.max("day").as("lastDay")])
    .groupBy(groupedBy)
    .orderBy("messages", "desc")
    .orderBy("source_ip")
    .limit(limit)
    .$castTo<GroupSums>()
    .execute();
}

export async function countAddresses(scope: Scope, asked: DomainDays): Promise<number> {
  const { addresses } = await selectSources(scope, asked)
    .select(sql<number>`count(distinct source_ip)`.as("addresses"))
    .executeTakeFirstOrThrow();
  return addresses;
}

type SpanSums = Pick<GroupSums, "sourceIp" | "spf" | "dkim" | "messages" | "passed"> & { readonly span: number };

/** By spans of days from the first on. */
export async function sumSourcesBySpan(scope: Scope, asked: DomainDays, spanMs: number): Promise<SpanSums[]> {
  const span = sql<number>`(day - ${sql.lit(asked.from)}) / ${sql.lit(spanMs)}`;
  return await selectSources(scope, asked)
    .select([...groupColumns, span.as("span"), sums.messages.as("messages"), sums.passed.as("passed")])
    .groupBy([...groupedBy, span])
    .orderBy("messages", "desc")
    .limit(mostSpans)
    .$castTo<SpanSums>()
    .execute();
}

/** Some megabytes. The smallest are left out. */
const mostSpans = 50_000;

type OrganizationSums = {
  readonly name: string | null;
  readonly reports: number;
  readonly messages: number;
  readonly passed: number;
  /** Counts all organizations, even those past the limit. */
  readonly allReports: number;
};

export async function sumSourcesByOrganization(
  scope: Scope,
  asked: DomainDays,
  limit: number,
): Promise<OrganizationSums[]> {
  return await selectSources(scope, asked)
    .select(["organization as name", sums.messages.as("messages"), sums.passed.as("passed")])
    .select(sql<number>`count(distinct mail_reports.id)`.as("reports"))
    .select(sql<number>`sum(count(distinct mail_reports.id)) over ()`.as("allReports"))
    .groupBy("organization")
    .orderBy("messages", "desc")
    .orderBy("organization")
    .limit(limit)
    .execute();
}

/** Results reported in the same words. */
type SourceWords = {
  readonly organization: string | null;
  readonly header_from: string | null;
  readonly dkim: string;
  readonly spf: string;
  readonly reasons: string;
};

const wordColumns = ["organization", "header_from", "dkim", "spf", "reasons"] as const;

/** Those with the most messages first. */
export async function listSourceWords(
  scope: Scope,
  asked: DomainDays,
  address: string | undefined,
  limit: number,
): Promise<SourceWords[]> {
  return await selectSources(scope, asked)
    .$if(address !== undefined, (query) => query.where("source_ip", "=", address ?? ""))
    .select(wordColumns)
    .groupBy(wordColumns)
    .orderBy(sql`sum(messages)`, "desc")
    .orderBy("organization")
    .orderBy("header_from")
    .limit(limit)
    .$castTo<SourceWords>()
    .execute();
}
