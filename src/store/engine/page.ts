// Pages of a list, newest first: in the order of the ids, which begin with the time that the message was received at. A
// page begins behind the last row of the one before and so costs the same however deep; one that begins at an offset
// costs its offset.

import type { SelectQueryBuilder } from "kysely";
import type { Schema } from "../schema/schema.ts";

export type Page = {
  readonly limit: number;
  /** The id of the last row of the page before. */
  readonly after?: string | undefined;
  readonly offset?: number;
};

type PagedTable = "tests" | "bounces" | "mail_reports" | "domain_changes" | "sends";

export function pageOf<T extends PagedTable>(
  query: SelectQueryBuilder<Schema, T, object>,
  { limit, after, offset = 0 }: Page,
): Promise<Schema[T][]> {
  // The columns of the order stand in each of the tables; the types need one of them to look at.
  const rows = (query as unknown as SelectQueryBuilder<Schema, "tests", object>)
    .selectAll()
    .$if(after !== undefined, (behind) => behind.where("id", "<", after ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows as unknown as Promise<Schema[T][]>;
}
