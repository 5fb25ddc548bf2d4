// Lists in the order of their score. If one filter finds few tests, they are read and sorted. Otherwise the index by
// score is walked like lists.ts walks the newest, in bounded steps.

import { type RawBuilder, sql } from "kysely";
import type { Page } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { allOf, type TestFilter, toConditions } from "./conditions.ts";
import { type ListedTest, readListed } from "./listed.ts";
import { longestWalkWithLooks, lookAt, selectIds, walkFor } from "./walks.ts";

export type ScoreOrder = "lowest" | "highest";

type ScoredPage = { readonly tests: readonly ListedTest[]; readonly next: string | null };

/** The score and the ID of the last row, between which and the next the list continues. */
type Place = { readonly composite: number; readonly id: string };

/** More candidates than this aren't sorted. */
const mostSorted = 10_000;

/** A list by score has only tests with a score. */
export function scoredOnly(filter: TestFilter): TestFilter {
  return { ...filter, minScore: filter.minScore ?? 0 };
}

export async function findByScore(
  db: Db,
  workspaceId: string,
  page: Page,
  asked: TestFilter,
  order: ScoreOrder,
): Promise<ScoredPage> {
  const scope = inWorkspace(db, workspaceId);
  const filter = scoredOnly(asked);
  const { limit } = page;
  const found = (await sortFew(db, scope, page, filter, order)) ?? (await walkScores(db, scope, page, filter, order));
  const own = found.rows.slice(0, limit);
  const tests = await readListed(
    db,
    scope,
    selectIds(
      db,
      own.map(({ id }) => id),
    ),
  );
  const last = found.rows.length > limit ? own.at(-1) : found.end;
  return { tests, next: last === undefined ? null : toCursor(last) };
}

type Found = {
  /** One more than the page has, if there are more. */
  readonly rows: readonly Place[];
  /** Where a walk ended before its list did. */
  readonly end: Place | undefined;
};

/** Undefined: there are too many, or no filter that an index finds. */
async function sortFew(
  db: Db,
  scope: Scope,
  { limit, offset = 0, after }: Page,
  filter: TestFilter,
  order: ScoreOrder,
): Promise<Found | undefined> {
  const leads = toConditions(db, filter).some((condition) => condition.leads);
  if (!leads && filter.words === undefined) return undefined;
  const walk = await walkFor(db, scope, filter);
  // Finding all tests with a common word is slow on PostgreSQL, and that there are too many is cached.
  if (await walk.hasMore?.(mostSorted)) return undefined;
  const { walked, matched, select } = await lookAt(db, walk, mostSorted);
  if (walked > mostSorted) return undefined;
  if (matched === 0) return { rows: [], end: undefined };
  const [composite, id] = [sql.ref("composite"), sql.ref("id")];
  // Written so that SQLite goes from the found to the tests. The other way round, it searches the whole workspace for
  // each (listed.ts).
  const { rows } = await sql<Place>`
    select id, composite from (
      select tests.id, case when tests.workspace_id = ${scope.workspaceId} then tests.composite end as composite
      from (${select(0, matched)}) as found left join tests on tests.id = found.id
    ) as scored
    where composite is not null and ${behind(after, order, composite, id)}
    order by ${inOrder(order, composite, id)} limit ${limit + 1} offset ${offset}`.execute(db);
  return { rows, end: undefined };
}

async function walkScores(
  db: Db,
  scope: Scope,
  { limit, offset = 0, after }: Page,
  filter: TestFilter,
  order: ScoreOrder,
): Promise<Found> {
  const { words = [], minScore, maxScore, from, before, ...others } = filter;
  const terms = [
    ...(filter.terms ?? []),
    ...(words.length > 0 ? [{ isNot: false, field: "words", words } as const] : []),
    ...(from !== undefined || before !== undefined
      ? [{ isNot: false, field: "received", from: from ?? null, before: before ?? null } as const]
      : []),
  ];
  const conditions = toConditions(db, { ...others, terms });
  const columns = new Set(conditions.flatMap((condition) => condition.columns));
  columns.delete("composite");
  const residue = conditions.map(({ is }) => is);
  const longest = residue.length > 0 ? longestWalkWithLooks : limit + offset + 1;
  const [composite, id] = [sql.ref("composite"), sql.ref("id")];
  const walk = (most: number) => sql`
    select id, ${sql.join(["composite", ...columns].map((column) => sql.ref(column)))} from tests
    where workspace_id = ${scope.workspaceId} and became = 'test' and composite is not null
      and composite >= ${minScore} ${maxScore === undefined ? sql`` : sql`and composite <= ${maxScore}`}
      and ${behind(after, order, composite, id)}
    order by ${inOrder(order, composite, id)} limit ${most}`;
  const { rows } = await sql<Place>`
    select id, composite from (${walk(longest)}) as walked where ${allOf(residue)}
    order by ${inOrder(order, composite, id)} limit ${limit + 1} offset ${offset}`.execute(db);
  if (rows.length > limit || residue.length === 0) return { rows, end: undefined };
  const ends = await sql<Place>`
    select id, composite from (${walk(longest + 1)}) as walked
    order by ${inOrder(order, composite, id)} limit 2 offset ${longest - 1}`.execute(db);
  const [last, further] = ends.rows;
  return { rows, end: further === undefined ? undefined : last };
}

function inOrder(order: ScoreOrder, composite: RawBuilder<unknown>, id: RawBuilder<unknown>) {
  return order === "lowest" ? sql`${composite}, ${id}` : sql`${composite} desc, ${id} desc`;
}

function behind(
  after: string | undefined,
  order: ScoreOrder,
  composite: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (after === undefined) return sql`1 = 1`;
  const place = readCursor(after);
  const sign = sql.raw(order === "lowest" ? ">" : "<");
  return sql`(${composite}, ${id}) ${sign} (${place.composite}, ${place.id})`;
}

// The cursor of a list by score. The test itself may get another score, or be deleted, while someone pages.

function toCursor({ composite, id }: Place): string {
  return `${composite}:${id}`;
}

function readCursor(cursor: string): Place {
  const at = cursor.indexOf(":");
  return { composite: Number(cursor.slice(0, at)), id: cursor.slice(at + 1) };
}
