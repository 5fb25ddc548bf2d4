// What the first rows of a walk hold.

import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";
import type { Db } from "./schema.ts";
import type { Look } from "./search/search.ts";
import { allOf, type Walk } from "./test-walks.ts";

/** In one row, because the index is asked once for it. One row more than `most` tells that there are more. */
export async function lookAt(db: Db, { look, rows, residue }: Walk, most: number): Promise<Look> {
  if (look) return await look(most);
  const read = await sql<{ walked: number; ids: string | null }>`
    select count(*) as walked, string_agg(case when ${allOf(residue)} then id end, ' ' order by place desc) as ids
    from (${rows(most + 1)}) as walked`.execute(db);
  const [{ walked, ids } = { walked: 0, ids: null }] = read.rows;
  const listed = ids === null ? [] : ids.split(" ");
  return { walked, matched: listed.length, select: (from, to) => selectIds(db, listed.slice(from, to)) };
}

function selectIds(db: Db, ids: readonly string[]): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`select id, place from unnest(${ids}::text[]) with ordinality as listed (id, place)`
    : sql`select value as id, key as place from json_each(${JSON.stringify(ids)})`;
}
