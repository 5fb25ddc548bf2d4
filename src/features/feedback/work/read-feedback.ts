// Reads what the evaluation of a domain's feedback needs, with its texts parsed.

import type { Dmarc } from "../../../analyzer/checks/authentication-facts.ts";
import type { OverrideReason, ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { readLastReport } from "../../domains/rows/domains.ts";
import * as figures from "../rows/figures.ts";
import { listDomainsBelow, listProblemsOfDomain } from "../rows/problems.ts";
import { listMarks } from "../rows/source-marks.ts";
import type { NoticeDay } from "../rules/detect-counts.ts";
import { type FeedbackInput, findEstablished, findFirstDay } from "../rules/evaluate.ts";
import { dayMs, type FeedbackEvidence, type KnownProblem } from "../rules/problem.ts";
import { feedbackProviders } from "../rules/providers.ts";
import type { FeedbackRow } from "../rules/report-rows.ts";
import type { DomainFeedbackTable, FeedbackProblemsTable } from "../tables.ts";
import { type NamingTerms, nameGroups } from "./name-groups.ts";

/** Stored with each evaluation, for the domain's page. */
export type FeedbackSummary = {
  /** Over the days that were read. */
  readonly reports: number;
  readonly authenticatedReports: number;
  readonly reporters: number;
  /** Authenticated reporters with too few days so far. */
  readonly newReporters: number;
  readonly notices: number;
  readonly authenticatedNotices: number;
};

export type ReadFeedback = {
  readonly input: FeedbackInput;
  readonly problems: readonly FeedbackProblemsTable[];
  readonly summary: FeedbackSummary;
  readonly asked: figures.AskedFigures;
  /** Not all rows were read, so a source may be missing from the days before. */
  readonly isCut: boolean;
};

/** The usual days, the recent ones, and a few more for reports that stopped. */
const readDays = 35;

export async function readFeedback(
  scope: Scope,
  row: DomainFeedbackTable,
  { today, seedDomains, ...naming }: NamingTerms & { readonly today: number; readonly seedDomains: readonly string[] },
): Promise<ReadFeedback> {
  const { domain, registrable_domain: registrableDomain } = row;
  const others = await listDomainsBelow(scope, row);
  const asked = { domain, registrableDomain, others, from: today - readDays * dayMs, to: today + dayMs };
  const [rows, reporterDays, counts, tls, tlsFailures, notices, delivered, problems, pointsHere, marks] =
    await Promise.all([
      figures.listFeedbackRows(scope, asked),
      figures.sumByReporterDay(scope, asked),
      figures.countReports(scope, asked),
      figures.sumTlsByReporterDay(scope, asked),
      figures.sumTlsFailuresByDay(scope, asked),
      figures.sumNoticesByDay(scope, asked),
      figures.sumDeliveredByDay(scope, asked),
      listProblemsOfDomain(scope, row.domain_id),
      readPointsHere(scope, row.domain_id, seedDomains),
      listMarks(scope, row.domain_id),
    ]);
  const counted = notices.filter(({ authenticated }) => authenticated === 1);
  const reporters = new Set(reporterDays.map(({ reporter }) => reporter));
  const established = findEstablished(reporterDays);
  const sum = (some: readonly NoticeDay[]) => some.reduce((total, { count }) => total + count, 0);
  return {
    asked,
    problems,
    isCut: rows.length >= figures.mostRows,
    summary: {
      reports: counts.all,
      authenticatedReports: counts.authenticated,
      reporters: reporters.size,
      newReporters: reporters.size - established.size,
      notices: sum(notices),
      authenticatedNotices: sum(counted),
    },
    input: {
      domain,
      today,
      reporterDays,
      tls,
      tlsFailures,
      pointsHere,
      rows: await toFeedbackRows(rows, domain, naming),
      marked: new Set([...marks.values()].flatMap(({ key, mark }) => (mark === null ? [] : [key]))),
      notices: counted,
      delivered: delivered.map(({ provider, ...row }) => ({ ...row, reporter: feedbackProviders[provider] })),
      firstDay: earliest(row.first_day, findFirstDay(reporterDays)),
      problems: problems.map(toKnownProblem),
    },
  };
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

function toKnownProblem(row: FeedbackProblemsTable): KnownProblem {
  const { kind, subject, level, resolution } = row;
  return {
    kind,
    subject,
    level,
    resolution,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at,
    evidence: JSON.parse(row.evidence) as FeedbackEvidence,
  };
}

export async function toFeedbackRows(
  rows: readonly figures.SourceRow[],
  domain: string,
  naming: NamingTerms,
): Promise<FeedbackRow[]> {
  const parse = createParser();
  const groups = rows.map((row) => ({ row, sourceIp: row.source_ip, spf: row.proved_spf, dkim: row.proved_dkim }));
  return (await nameGroups(groups, domain, naming)).map(({ row, sender }) => ({
    day: row.day,
    reporter: row.reporter,
    sourceIp: row.source_ip,
    headerFrom: row.header_from,
    dkim: parse(row.dkim) as ReportedSignature[],
    spf: parse(row.spf) as ReportedSpf[],
    source: sender,
    reasons: parse(row.reasons) as OverrideReason[],
    dkimAligned: row.dkim_aligned === 1,
    spfAligned: row.spf_aligned === 1,
    messages: row.messages,
  }));
}

/** Almost all texts repeat, so each is parsed once. */
export function createParser(): (json: string) => unknown {
  const parsed = new Map<string, unknown>();
  return (json) => parsed.getOrInsertComputed(json, JSON.parse);
}

/** The policy that covers the domain. Null: DNS didn't say. */
export async function readDmarc(scope: Scope, domainId: string): Promise<Dmarc | null> {
  const last = await readLastReport(scope, domainId);
  const dmarc = last && parseDomainReport(last.report)?.facts.dmarc;
  return dmarc?.known ? dmarc.value : null;
}

/** Null if the record isn't known. */
async function readPointsHere(scope: Scope, domainId: string, seedDomains: readonly string[]): Promise<boolean | null> {
  const dmarc = await readDmarc(scope, domainId);
  if (dmarc === null) return null;
  return (dmarc.tags?.rua ?? []).some((uri) => isHere(uri, seedDomains));
}

function isHere(uri: string, seedDomains: readonly string[]): boolean {
  const domain = /^mailto:[^@]{1,300}@([^?!]{1,253})/i.exec(uri)?.[1]?.toLowerCase();
  return domain !== undefined && seedDomains.includes(domain);
}
