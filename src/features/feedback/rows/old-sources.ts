// Rows of reports from versions that didn't store what a row proves.

import type { Db } from "../../../platform/database/schema.ts";
import type { ReportSourcesTable } from "../tables.ts";

/** The newest first. `after`: the last one of those before. */
export async function listUnprovedReports(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ id: string; domain: string | null }[]> {
  return await db
    .selectFrom("report_sources")
    .innerJoin("mail_reports", "mail_reports.id", "report_sources.report_id")
    .where("report_sources.forwarded", "is", null)
    .$if(after !== null, (query) => query.where("mail_reports.id", "<", after ?? ""))
    .select(["mail_reports.id", "mail_reports.domain"])
    .groupBy(["mail_reports.id", "mail_reports.domain"])
    .orderBy("mail_reports.id", "desc")
    .limit(limit)
    .execute();
}

export type UnprovedRow = Pick<ReportSourcesTable, "number" | "dkim" | "spf" | "reasons" | "header_from">;

export async function listUnproved(db: Db, reportId: string): Promise<UnprovedRow[]> {
  return await db
    .selectFrom("report_sources")
    .select(["number", "dkim", "spf", "reasons", "header_from"])
    .where("report_id", "=", reportId)
    .where("forwarded", "is", null)
    .execute();
}

type Proof = Pick<ReportSourcesTable, "number" | "proved_spf" | "proved_dkim" | "forwarded">;

export async function noteProved(db: Db, reportId: string, proofs: readonly Proof[]): Promise<void> {
  for (const { number, ...proof } of proofs)
    await db
      .updateTable("report_sources")
      .set(proof)
      .where("report_id", "=", reportId)
      .where("number", "=", number)
      .execute();
}
