// The rows of lists and exports: only the columns that they show. Deleted tests are left out, even if that can still be
// undone.

import { type RawBuilder, sql } from "kysely";
import type { Page } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { listedColumns, type TestsTable } from "../tables.ts";
import { isPendingRemoval } from "./removal.ts";
import { selectTests } from "./tests.ts";

export type ListedTest = Pick<TestsTable, (typeof listedColumns)[number]>;

/** `id` is the test's, and null if it is no longer a test. */
export type Row = { [column in keyof ListedTest]: ListedTest[column] | null } & { readonly listed: string };

/** As text, because building it from its columns each time costs more than reading a few rows. */
export const listedRow = sql.raw(
  ["page.id as listed", "page.place", ...listedColumns.map((column) => `tests.${column}`)].join(", "),
);

/** `page`: `id` and `place`, which is their order. */
export async function readListed(db: Db, scope: Scope, page: RawBuilder<unknown>): Promise<ListedTest[]> {
  const read = await sql<Row & { readonly place: number | string }>`
    select ${listedRow} from (${page}) as page ${withTests(scope)}`.execute(db);
  const listed = read.rows.sort((one, other) => (one.place < other.place ? -1 : 1));
  return listed.filter(isTest);
}

/**
 * From the page to its tests and never the other way: SQLite assumes that a workspace is small and would search all of
 * it for a page of IDs. A left join keeps that order, and every place of the list.
 */
export function withTests({ workspaceId }: Scope): RawBuilder<unknown> {
  return sql`left join tests
    on tests.id = page.id and tests.workspace_id = ${workspaceId} and tests.became = 'test'
      and not ${isPendingRemoval("tests.id")}`;
}

export function isTest<Listed extends Row>(row: Listed): row is Listed & ListedTest {
  return row.id !== null;
}

// The rows of an export: only the columns that it shows, so that a page of them is small, whatever strangers write.

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

/** Newest first. At most the first `longestText` characters of a stranger's text are read. */
export async function listExportedTests(
  scope: Scope,
  { limit, after, longestText }: Omit<Page, "offset"> & { readonly longestText: number },
): Promise<ExportedTest[]> {
  return await selectExported(scope, longestText)
    .$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The same in the order of `ids`. */
export async function readExportedTests(
  scope: Scope,
  ids: readonly string[],
  longestText: number,
): Promise<ExportedTest[]> {
  if (ids.length === 0) return [];
  const rows = await selectExported(scope, longestText).where("id", "in", ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function selectExported(scope: Scope, longestText: number) {
  const beginningOf = (column: "header_from" | "subject") =>
    sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(longestText)})`.as(column);
  return selectTests(scope)
    .select(["id", "received_at", beginningOf("header_from"), beginningOf("subject"), "status"])
    .select(["composite", "inbox_rate", "spam_rate", "promo_rate", "spf", "dkim", "dmarc"]);
}
