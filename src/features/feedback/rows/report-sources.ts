// A domain's DMARC reports over a range of days: the domain and its subdomains, by the reported domain or by the From
// of the messages, because a parent domain's policy covers both. Every sum reads a range of one index. These queries
// are slow and belong in readInWorker.

import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Disposition } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";

export type DomainDays = {
  readonly domain: string;
  readonly registrableDomain: string;
  /** The beginnings of the first and the last day. */
  readonly from: number;
  readonly to: number;
};

type Joined = SelectQueryBuilder<Schema, "mail_reports" | "report_sources", object>;

function selectSources(scope: Scope, asked: DomainDays): Joined {
  const joined = scope
    .selectFrom("mail_reports")
    .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id") as Joined;
  return ofDomain(joined, asked);
}

function ofDomain(joined: Joined, { domain, registrableDomain, from, to }: DomainDays): Joined {
  return joined
    .where("mail_reports.registrable_domain", "=", registrableDomain)
    .where("mail_reports.day", ">=", from)
    .where("mail_reports.day", "<=", to)
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

export type AddressSums = SourceSums & {
  readonly sourceIp: string;
  readonly firstDay: number;
  readonly lastDay: number;
  /** Counts all addresses, even those past the limit. */
  readonly addresses: number;
};

/** Most messages first. */
export async function sumSourcesByAddress(scope: Scope, asked: DomainDays, limit: number): Promise<AddressSums[]> {
  return await selectSources(scope, asked)
    .where("source_ip", "is not", null)
    .select(["source_ip as sourceIp", ...sumColumns])
    .select(({ fn }) => [fn.min("day").as("firstDay"), fn.max("day").as("lastDay")])
    .select(sql<number>`count(*) over ()`.as("addresses"))
    .groupBy("source_ip")
    .orderBy("messages", "desc")
    .orderBy("source_ip")
    .limit(limit)
    .$castTo<AddressSums>()
    .execute();
}

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

/** Results reported in the same words for messages of one address. */
export type SourceWords = {
  readonly source_ip: string;
  readonly organization: string | null;
  readonly header_from: string | null;
  readonly dkim: string;
  readonly spf: string;
  readonly reasons: string;
};

const wordColumns = ["source_ip", "organization", "header_from", "dkim", "spf", "reasons"] as const;
/** For each address, the ones with the most messages. */
const mostWords = 8;

export async function listSourceWords(
  scope: Scope,
  asked: DomainDays,
  addresses: readonly string[],
): Promise<SourceWords[]> {
  if (addresses.length === 0) return [];
  const counted = (from: ExpressionBuilder<Schema, "workspaces">) =>
    ofDomain(
      from
        .selectFrom("mail_reports")
        .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id")
        .where("mail_reports.workspace_id", "=", scope.workspaceId) as unknown as Joined,
      asked,
    )
      .where("source_ip", "in", addresses)
      .select(wordColumns)
      .select(
        sql<number>`row_number() over (partition by source_ip order by sum(messages) desc, organization, header_from, dkim, spf, reasons)`.as(
          "place",
        ),
      )
      .groupBy(wordColumns)
      .as("counted");
  // The ranking needs its own query, and a scope begins at a table, so it starts at the workspace's own row.
  return await scope
    .selectFrom("workspaces")
    .innerJoin(counted, (join) => join.onTrue())
    .select(wordColumns)
    .where("place", "<=", mostWords)
    .orderBy("source_ip")
    .orderBy("place")
    .$castTo<SourceWords>()
    .execute();
}
