// The rows of an export: only the columns that it shows, so that a page of them is small, whatever strangers write.

import { sql } from "kysely";
import type { Page } from "../engine/page.ts";
import type { TestsTable } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";

export type ExportedTest = Pick<
  TestsTable,
  | "id"
  | "received_at"
  | "header_from"
  | "subject"
  | "status"
  | "composite"
  | "inbox_rate"
  | "spam_rate"
  | "promo_rate"
  | "spf"
  | "dkim"
  | "dmarc"
>;

/** Newest first. No more than the first `longestText` characters of a text that a stranger wrote leave the database. */
export async function listExportedTests(
  scope: Scope,
  { limit, after, longestText }: Omit<Page, "offset"> & { readonly longestText: number },
): Promise<ExportedTest[]> {
  const beginningOf = (column: "header_from" | "subject") =>
    sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(longestText)})`.as(column);
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
    .select(["id", "received_at", beginningOf("header_from"), beginningOf("subject"), "status"])
    .select(["composite", "inbox_rate", "spam_rate", "promo_rate", "spf", "dkim", "dmarc"])
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
