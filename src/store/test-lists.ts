// Lists of tests under filters, newest first. One filter leads: an index finds its rows in the order of the list. What
// the others leave out is seen on the way, and the way is bounded: a list that they make sparse is answered with what the
// rows of one walk hold, perhaps nothing, and goes on behind them. So no question costs more than another much.

import { sql } from "kysely";
import type { Page } from "./page.ts";
import type { Db, TestsTable } from "./schema.ts";
import { inWorkspace, type Scope } from "./scope.ts";
import { countKept } from "./test-counts.ts";
import {
  allOf,
  askedOf,
  countCandidates,
  shortWalk,
  type TestFilter,
  toConditions,
  type Walk,
  walkFor,
  walkNewest,
} from "./test-walks.ts";

export type TestPage = {
  readonly tests: readonly TestsTable[];
  /** The list goes on behind this id, though a page may have fewer tests than its limit, or none; null: it ends here. */
  readonly next: string | null;
  /** Of all that the list has from this page's beginning on, where the page's own walk saw its end. */
  readonly left: number | null;
};

export const highestCount = 10_000;

export async function findTests(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter = {},
): Promise<TestPage> {
  const scope = inWorkspace(db, workspaceId);
  const behind = { ...filter, before: earlier(page.after, filter.before) };
  const sooner = walkNewest(db, scope, behind);
  const soon = sooner ? await listIds(db, sooner, page) : [];
  if (soon.length > page.limit) return { ...(await readPage(scope, soon, page)), left: null };
  const walk = await walkFor(db, scope, behind);
  if (walk.isShort) return await findShort(db, scope, walk, page);
  const ids = await listIds(db, walk, page);
  const { tests, next } = await readPage(scope, ids, page);
  return { tests, next: next ?? (await readEnd(db, walk)), left: null };
}

async function findShort(db: Db, scope: Scope, walk: Walk, page: Page): Promise<TestPage> {
  const all = await listIds(db, walk, { limit: shortWalk });
  const { offset = 0, limit } = page;
  const found = await readPage(scope, all.slice(offset, offset + limit + 1), page);
  return { ...found, left: all.length };
}

/** `isExact` false: there are at least so many. */
export async function countTests(
  db: Db,
  workspaceId: string,
  filter: TestFilter = {},
): Promise<{ readonly total: number; readonly isExact: boolean }> {
  const scope = inWorkspace(db, workspaceId);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) return { total: await countKept(scope), isExact: true };
  const asked = toConditions(filter).length === 0 ? askedOf(scope, filter) : undefined;
  if (asked && (await countCandidates(db, asked, highestCount)) > highestCount) {
    return { total: highestCount, isExact: false };
  }
  const { walked, matched } = await countMatches(db, await walkFor(db, scope, filter));
  return { total: Math.min(matched, highestCount), isExact: walked <= highestCount };
}

async function countMatches(db: Db, { rows, residue }: Walk): Promise<{ walked: number; matched: number }> {
  const counted = await sql<{ walked: number; matched: number }>`
    select count(*) as walked, count(case when ${allOf(residue)} then 1 end) as matched
    from (${rows(highestCount + 1)}) as walked`.execute(db);
  return counted.rows[0] ?? { walked: 0, matched: 0 };
}

/** One more than the page has, if there is one. */
async function listIds(
  db: Db,
  { rows, residue, longest }: Walk,
  { limit, offset = 0 }: Page,
): Promise<string[]> {
  const walked = rows(residue.length > 0 ? longest : offset + limit + 1);
  const listed = await sql<{ id: string }>`
    select id from (${walked}) as walked
    where ${allOf(residue)} order by place desc limit ${limit + 1} offset ${offset}`.execute(db);
  return listed.rows.map(({ id }) => id);
}

/**
 * With each column of an index and in a query of its own: SQLite takes a workspace for small, and would else look through
 * all of it for a page of ids.
 */
async function readPage(
  scope: Scope,
  ids: readonly string[],
  { limit }: Page,
): Promise<Pick<TestPage, "tests" | "next">> {
  const own = ids.slice(0, limit);
  if (own.length === 0) return { tests: [], next: null };
  const rows = await scope
    .selectFrom("tests")
    .selectAll()
    .where("became", "=", "test")
    .where("id", "in", own)
    .execute();
  const places = new Map(own.map((id, place) => [id, place]));
  const placeOf = ({ id }: TestsTable) => places.get(id) ?? 0;
  return {
    tests: rows.sort((one, other) => placeOf(one) - placeOf(other)),
    next: ids.length > limit ? (own.at(-1) ?? null) : null,
  };
}

/** Where a walk that found too little ended before its list did. */
async function readEnd(db: Db, { rows, residue, longest }: Walk): Promise<string | null> {
  if (residue.length === 0) return null;
  const end = await sql<{ id: string }>`
    select id from (${rows(longest)}) as walked order by place desc limit 1 offset ${longest - 1}`.execute(
    db,
  );
  return end.rows[0]?.id ?? null;
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
