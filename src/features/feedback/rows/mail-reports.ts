// DMARC and TLS reports with their counts. report-sources.ts has the sums for a domain.

import { type RawBuilder, sql } from "kysely";
import { type Page, pageOf } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { ReportedDomain } from "../contract/mail-reports.ts";
import type { MailReportsTable, ReportSourcesTable, TlsFailuresTable, TlsPoliciesTable } from "../tables.ts";
import { type DomainDays, isNameWithin } from "./report-sources.ts";

/** A report's counts, without the columns that its rows take from the report itself. */
export type ReportRows = {
  readonly sources: readonly Omit<ReportSourcesTable, "report_id">[];
  readonly tlsPolicies: readonly Omit<TlsPoliciesTable, "report_id" | "workspace_id" | "day">[];
  readonly tlsFailures: readonly Omit<TlsFailuresTable, "report_id">[];
  /** What `counted_as` was in earlier versions. */
  readonly earlierKey: string | null;
};

/** A duplicate report is stored but counts nothing. */
export async function insertMailReport(
  db: Db,
  report: Omit<MailReportsTable, "row_count">,
  rows: ReportRows,
): Promise<void> {
  const { id: report_id, workspace_id, day } = report;
  const keys = [report.counted_as, rows.earlierKey].filter((key) => key !== null);
  if (report.sender_authenticated === 1) await releaseForged(db, workspace_id, keys);
  const isKnown = await wasCountedEarlier(db, report, rows.earlierKey);
  const row_count = day === null ? 0 : rows.sources.length + rows.tlsPolicies.length + rows.tlsFailures.length;
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto("mail_reports")
    .values({ ...report, row_count, ...(isKnown && { counted_as: null, row_count: 0 }) })
    .onConflict((conflict) => conflict.columns(["workspace_id", "counted_as"]).doNothing())
    .executeTakeFirstOrThrow();
  if (isKnown) return;
  if (inserted === 0n) {
    await db
      .insertInto("mail_reports")
      .values({ ...report, counted_as: null, row_count: 0 })
      .execute();
    return;
  }
  if (day === null) return;
  const policies = rows.tlsPolicies.map((row) => ({ ...row, report_id, workspace_id, day }));
  for (const sources of inPieces(rows.sources.map((row) => ({ ...row, report_id }))))
    await db.insertInto("report_sources").values(sources).execute();
  for (const some of inPieces(policies)) await db.insertInto("tls_policies").values(some).execute();
  for (const failures of inPieces(rows.tlsFailures.map((row) => ({ ...row, report_id }))))
    await db.insertInto("tls_failures").values(failures).execute();
}

/** Whether an earlier version counted a report with this name from the same sender, or from one that it didn't note. */
async function wasCountedEarlier(
  db: Db,
  { workspace_id, sender_domain }: Pick<MailReportsTable, "workspace_id" | "sender_domain">,
  earlierKey: string | null,
): Promise<boolean> {
  if (earlierKey === null) return false;
  const row = await db
    .selectFrom("mail_reports")
    .select("sender_domain")
    .where("workspace_id", "=", workspace_id)
    .where("counted_as", "=", earlierKey)
    .executeTakeFirst();
  return row !== undefined && (row.sender_domain === null || row.sender_domain === sender_domain);
}

/** Identifiers can be guessed, so a forged report may come first. What shows who sent it counts instead. */
async function releaseForged(db: Db, workspaceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const forged = await db
    .updateTable("mail_reports")
    .set({ counted_as: null, row_count: 0 })
    .where("workspace_id", "=", workspaceId)
    .where("counted_as", "in", keys)
    .where(({ or, eb }) => or([eb("sender_authenticated", "is", null), eb("sender_authenticated", "=", 0)]))
    .returning("id")
    .execute();
  for (const { id } of forged)
    for (const table of ["report_sources", "tls_failures", "tls_policies"] as const)
      await db.deleteFrom(table).where("report_id", "=", id).execute();
}

/** Each length needs its own statement, and statements are cached. One for all rows at once would take megabytes. */
const rowsTogether = 100;

function inPieces<Row>(rows: readonly Row[]): Row[][] {
  const pieces = Math.ceil(rows.length / rowsTogether);
  return Array.from({ length: pieces }, (_, piece) => rows.slice(piece * rowsTogether, (piece + 1) * rowsTogether));
}

/** Removing a row costs as much as removing this many bytes of a message. */
const rowBytes = 512;

/** What the rows of a report weigh in addition to its message. */
export const bytesOfReportRows = sql<number>`coalesce(
  (select row_count * ${sql.lit(rowBytes)} from mail_reports where test_id = tests.id), 0)`;

export async function listMailReports(scope: Scope, page: Page): Promise<MailReportsTable[]> {
  return await pageOf(scope.selectFrom("mail_reports"), page);
}

const isAuthenticated = sql<boolean>`coalesce(mail_reports.sender_authenticated, 0) = 1`;

function sumsOf(these: RawBuilder<boolean>) {
  const sum = (value: RawBuilder<unknown>) => sql<number>`coalesce(sum(case when ${these} then ${value} end), 0)`;
  return { reports: sum(sql`1`), messages: sum(sql.ref("mail_reports.total")), failed: sum(sql.ref("failed")) };
}

/**
 * Reads the reports of the last days in the order in which they arrived, which their IDs have. Anyone can send one about
 * any name, so the monitored domains come first.
 */
export async function sumReportsByDomain(scope: Scope, since: number, limit: number): Promise<ReportedDomain[]> {
  const [sure, others] = [sumsOf(isAuthenticated), sumsOf(sql`not ${isAuthenticated}`)];
  const found = await scope
    .selectFrom("mail_reports")
    .leftJoin("domains", (join) =>
      join
        .onRef("domains.workspace_id", "=", "mail_reports.workspace_id")
        .onRef("domains.domain", "=", "mail_reports.domain"),
    )
    .where("mail_reports.id", ">=", beginningAt("mailReport", since))
    .where("mail_reports.type", "=", "dmarc")
    .where("mail_reports.counted_as", "is not", null)
    .where("mail_reports.domain", "is not", null)
    .select(["mail_reports.domain", "domains.id as domainId"])
    .select([sure.reports.as("reports"), sure.messages.as("messages"), sure.failed.as("failed")])
    .select([others.reports.as("otherReports"), others.messages.as("otherMessages"), others.failed.as("otherFailed")])
    .groupBy(["mail_reports.domain", "domains.id"])
    .orderBy(sql`domains.id is null`)
    .orderBy(sure.failed, "desc")
    .orderBy(sure.messages, "desc")
    .orderBy("mail_reports.domain")
    .limit(limit)
    .execute();
  return found.map(({ domain, otherReports, otherMessages, otherFailed, ...rest }) => ({
    domain: domain ?? "",
    ...rest,
    unauthenticated: { reports: otherReports, messages: otherMessages, failed: otherFailed },
  }));
}

export async function readMailReport(scope: Scope, id: string): Promise<MailReportsTable | undefined> {
  return await scope.selectFrom("mail_reports").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Largest first, as in the report. */
export async function listReportSources(scope: Scope, id: string): Promise<ReportSourcesTable[]> {
  return await scope
    .selectFrom("mail_reports")
    .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id")
    .selectAll("report_sources")
    .where("mail_reports.id", "=", id)
    .orderBy("report_sources.number")
    .execute();
}

export async function listTlsPolicies(scope: Scope, id: string): Promise<TlsPoliciesTable[]> {
  return await scope.selectFrom("tls_policies").selectAll().where("report_id", "=", id).orderBy("number").execute();
}

export async function listTlsFailures(scope: Scope, id: string): Promise<TlsFailuresTable[]> {
  return await scope
    .selectFrom("mail_reports")
    .innerJoin("tls_failures", "tls_failures.report_id", "mail_reports.id")
    .selectAll("tls_failures")
    .where("mail_reports.id", "=", id)
    .orderBy("tls_failures.policy")
    .orderBy("tls_failures.number")
    .execute();
}

// A domain's TLS reports over a range of days, as report-sources.ts does for DMARC.

function selectPolicies(scope: Scope, { domain, registrableDomain, from, to }: DomainDays) {
  return scope
    .selectFrom("tls_policies")
    .where("tls_policies.registrable_domain", "=", registrableDomain)
    .where("tls_policies.day", ">=", from)
    .where("tls_policies.day", "<=", to)
    .where(isNameWithin("tls_policies.domain", domain));
}

type TlsDaySums = { readonly day: number; readonly sessions: number; readonly failed: number };

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

/** Grouped by reporter, most failures first. */
export async function sumTlsFailures(scope: Scope, asked: DomainDays, limit: number): Promise<TlsFailureSums[]> {
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
