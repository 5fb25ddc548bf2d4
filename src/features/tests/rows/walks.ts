// How a list of tests is walked: one filter leads through an index, newest first, and the others are applied on the
// way.

import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import {
  countCandidates,
  countTrigrams,
  hasMoreCandidates,
  type PageOfMatches,
  type SearchQuery,
  searchOf,
} from "../../../platform/database/search/search.ts";
import { allOf, type Condition, type TestFilter, toConditions } from "./conditions.ts";

/** Through an index alone, or through one with a lookup of each row of tests, which costs five times as much. */
export const longestWalk = 5_000;
export const longestWalkWithLooks = 2_000;
/** How many rows PostgreSQL searches for common words before it uses its index. */
const firstWalk = 5_000;
/**
 * Rows that are read whatever the page needs, so that their number is known and needs no count. At most what `findRare`
 * counts (`rareUpTo` in search/sqlite.ts), or every search would seem short.
 */
export const shortWalk = 2_000;
/** The same if their number is known. A page often needs no more. */
export const shortestWalk = 200;

export type Walk = {
  /** `id`, `place`, which is their order, and the columns that `residue` needs. Newest first, at most this many. */
  readonly rows: (limit: number) => RawBuilder<unknown>;
  /** The same in no order, if that is cheaper. */
  readonly unordered?: (limit: number) => RawBuilder<unknown>;
  /** The first rows with their columns, if there is a shorter way than `rows`. */
  readonly look?: ((most: number) => Promise<PageOfMatches>) | undefined;
  /** Further conditions on a row. */
  readonly residue: readonly RawBuilder<boolean>[];
  readonly longest: number;
  /** The number of rows, if the index alone can tell. More than `most` counts as one more. */
  readonly countCandidates?: (most: number) => Promise<number>;
  /** Whether it has more rows, as of the last minute. */
  readonly hasMore?: (most: number) => Promise<boolean>;
  /** It has at least this many and hardly more. Undefined if only counting can tell. */
  readonly fewest?: number | undefined;
};

export async function walkFor(db: Db, scope: Scope, filter: TestFilter): Promise<Walk> {
  const search = searchOf(db);
  const asked = askedOf(scope, filter);
  if (!asked) return walkTests(db, scope, filter);
  const { rare = [], fewest } = (await search.findRare?.(db, asked)) ?? {};
  const found = { ...asked, rare };
  // A word of one trigram needs no second check.
  const unsure = asked.words.filter((word) => countTrigrams(word) !== 1 || (rare.length > 0 && !rare.includes(word)));
  const looks = lookUp(db, filter);
  const { look } = search;
  return {
    rows: (limit) => search.selectCandidates(found, limit),
    unordered: (limit) => search.selectUnordered(found, limit),
    look: look && looks.length === 0 ? (most) => look(db, found, unsure, most) : undefined,
    residue: [...unsure.map(search.holds), ...looks],
    longest: looks.length > 0 ? longestWalkWithLooks : longestWalk,
    countCandidates: (most) => countCandidates(db, found, most),
    hasMore: (most) => hasMoreCandidates(db, found, most),
    fewest,
  };
}

export function walkNewest(db: Db, scope: Scope, filter: TestFilter): Walk | undefined {
  const search = searchOf(db);
  const asked = askedOf(scope, filter);
  const { selectNewest } = search;
  if (!asked || selectNewest === null) return undefined;
  return {
    rows: (limit) => selectNewest(asked, limit),
    residue: [...asked.words.map(search.holds), ...lookUp(db, filter)],
    longest: firstWalk,
  };
}

/** Without a word that its index knows, a search walks the tests. */
function walkTests(db: Db, scope: Scope, filter: TestFilter): Walk {
  const { words = [], from, before } = filter;
  const conditions = toConditions(db, filter);
  const lead = conditions.find(({ leads }) => leads);
  const others = conditions.filter((condition) => condition !== lead);
  const columns = new Set(others.flatMap(({ columns }) => columns));
  const seesIndexAlone =
    words.length === 0 &&
    others.every(({ columns }) => columns.length > 0 && columns.every((column) => column === "composite"));
  const rows = (limit: number) =>
    scope
      .selectFrom("tests")
      .where("became", "=", "test")
      .select(["id", "id as place", ...columns])
      .$if(words.length > 0, (query) =>
        query.innerJoin("test_words", "test_words.test_id", "tests.id").select("test_words.words"),
      )
      .$if(lead !== undefined, (query) => query.where(lead ? toLead(db, scope, filter, lead) : sql.lit(true)))
      .$if(from !== undefined, (query) => query.where("id", ">=", from ?? ""))
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
      .orderBy("id", "desc")
      .limit(limit);
  return {
    rows: (limit) => sql`${rows(limit)}`,
    residue: [...words.map(searchOf(db).holds), ...others.map(({ is }) => is)],
    longest: seesIndexAlone ? longestWalk : longestWalkWithLooks,
  };
}

/** The leading condition, written so that SQLite uses its index. PostgreSQL finds it itself. */
function toLead(
  db: Db,
  { workspaceId }: Scope,
  { status }: TestFilter,
  { columns, is }: Condition,
): RawBuilder<boolean> {
  if (!columns.includes("status") || status === "failed" || isPostgres(db)) return is;
  return sql`id in (
    select id from tests indexed by tests_due
    where due_at is not null and workspace_id = ${workspaceId} and ${is})`;
}

/** Then the index finds hardly more than what matches. */
export function isOfIndexedWords(db: Db, filter: TestFilter): boolean {
  const { words = [] } = filter;
  return toConditions(db, filter).length === 0 && words.every((word) => countTrigrams(word) > 0);
}

/** The same for rows that a search found. */
function lookUp(db: Db, filter: TestFilter): RawBuilder<boolean>[] {
  const conditions = toConditions(db, filter).map(({ is }) => is);
  return conditions.length === 0
    ? []
    : // Without `exists`, which SQLite would turn into a join with a sort.
      [sql`(select 1 from tests where tests.id = walked.id and ${allOf(conditions)}) = 1`];
}

function askedOf({ workspaceId }: Scope, { words = [], from, before }: TestFilter): SearchQuery | undefined {
  const indexed = words.some((word) => countTrigrams(word) > 0);
  return indexed ? { workspaceId, words, from, before } : undefined;
}

// The first rows of a walk.

/** In one row, because then the index is read once. One row more than `most` shows that there are more. */
export async function lookAt(db: Db, { look, rows, residue }: Walk, most: number): Promise<PageOfMatches> {
  if (look) return await look(most);
  const read = await sql<{ walked: number; ids: string | null }>`
    select count(*) as walked, string_agg(case when ${allOf(residue)} then id end, ' ' order by place desc) as ids
    from (${rows(most + 1)}) as walked`.execute(db);
  const [{ walked, ids } = { walked: 0, ids: null }] = read.rows;
  const listed = ids === null ? [] : ids.split(" ");
  return { walked, matched: listed.length, select: (from, to) => selectIds(db, listed.slice(from, to)) };
}

/** `id` and `place`: the IDs in this order. */
export function selectIds(db: Db, ids: readonly string[]): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`select id, place from unnest(${ids}::text[]) with ordinality as listed (id, place)`
    : sql`select value as id, key as place from json_each(${JSON.stringify(ids)})`;
}
