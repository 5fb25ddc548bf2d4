// Pages of a list, newest first, and how many rows there are. They are ordered by ID, which begins with the time of receipt. A page that starts
// after a row costs the same at any depth; one that starts at an offset costs its offset.

import type { SelectQueryBuilder } from "kysely";
import type { Schema } from "../schema.ts";

export type Page = {
  readonly limit: number;
  /** The ID of the last row of the previous page. */
  readonly after?: string | undefined;
  readonly offset?: number;
};

type PagedTable = "tests" | "bounces" | "mail_reports" | "domain_changes" | "sends" | "feedback_problems";

export function pageOf<T extends PagedTable>(
  query: SelectQueryBuilder<Schema, T, object>,
  { limit, after, offset = 0 }: Page,
): Promise<Schema[T][]> {
  // Each of the tables has the columns of the order, but the types need one concrete table.
  const rows = (query as unknown as SelectQueryBuilder<Schema, "tests", object>)
    .selectAll()
    .$if(after !== undefined, (behind) => behind.where("id", "<", after ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows as unknown as Promise<Schema[T][]>;
}

export async function countRows<T extends keyof Schema>(query: SelectQueryBuilder<Schema, T, object>): Promise<number> {
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return total;
}
