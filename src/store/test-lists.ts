// Lists of tests under filters, newest first. One filter leads: an index finds its rows in the order of the list. What
// the others leave out is seen on the way, and the way is bounded: a list that they make sparse is answered with what the
// rows of one walk hold, perhaps nothing, and goes on behind them. So no question costs more than another much.

import { type RawBuilder, sql } from "kysely";
import type { Page } from "./page.ts";
import type { Db, TestsTable } from "./schema.ts";
import { inWorkspace, type Scope } from "./scope.ts";
import { countTrigrams } from "./search/search.ts";
import { countKept } from "./test-counts.ts";
import {
  allOf,
  isFiltered,
  shortestWalk,
  shortWalk,
  type TestFilter,
  toConditions,
  type Walk,
  walkFor,
  walkNewest,
} from "./test-walks.ts";

/** What is shown of a test in lists, or needed to judge it again: half of its row. */
const listedColumns = [
  "id",
  "received_at",
  "analyzed_at",
  "status",
  "label",
  "recipients",
  "header_from",
  "subject",
  "composite",
  "coverage",
  "inbox_rate",
  "spam_rate",
  "promo_rate",
  "spf",
  "dkim",
  "dmarc",
  "kind",
  "kind_override",
  "size_bytes",
  "send_id",
  "seed_inbox_id",
  "sample",
  "failure",
] as const;
export type ListedTest = Pick<TestsTable, (typeof listedColumns)[number]>;

export type TestPage = {
  readonly tests: readonly ListedTest[];
  /** The list goes on behind this id, though a page may have fewer tests than its limit, or none; null: it ends here. */
  readonly next: string | null;
  /** Of all that the list has from this page's beginning on, where the page's own walk saw its end. */
  readonly left: number | null;
};

export const highestCount = 10_000;

/** `isExact` false: there are at least so many. */
export type Total = { readonly total: number; readonly isExact: boolean };

export type TestQuestion = {
  readonly workspaceId: string;
  readonly page: Page;
  readonly filter: TestFilter;
  readonly isCounted: boolean;
};

/** A page with the total of its list: null, where the page does not show it by the way and nobody wants it counted. */
export async function findCountedTests(
  db: Db,
  { workspaceId, page, filter, isCounted }: TestQuestion,
): Promise<TestPage & { readonly counted: Total | null }> {
  const { look, ...found } = await readList(db, workspaceId, page, filter, isCounted);
  const seen = page.after === undefined ? seenTotal(page, found) : null;
  if (seen !== null) return { ...found, counted: { total: seen, isExact: true } };
  const first = page.after === undefined ? look : undefined;
  return { ...found, counted: isCounted ? await countTests(db, workspaceId, filter, first) : null };
}

/** Of a list's first page, whose walk may have seen the whole. */
function seenTotal({ offset = 0 }: Page, { tests, next, left }: TestPage): number | null {
  return left ?? (offset === 0 && next === null ? tests.length : null);
}

export async function findTests(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter = {},
): Promise<TestPage> {
  const { look, ...found } = await readList(db, workspaceId, page, filter, true);
  return found;
}

/** What the first rows of a walk hold. */
type Look = {
  readonly walked: number;
  /** Of those that match, in the order of the list. */
  readonly ids: readonly string[];
};

/** `isCounted`: more may be looked at than the page needs, because what was seen need not be counted. */
async function readList(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter,
  isCounted: boolean,
): Promise<TestPage & { readonly look?: Look }> {
  const scope = inWorkspace(db, workspaceId);
  const behind = { ...filter, before: earlier(page.after, filter.before) };
  const sooner = walkNewest(db, scope, behind);
  const soon = sooner && (await readPage(db, scope, sooner, page));
  if (soon && soon.next !== null) return soon;
  const walk = await walkFor(db, scope, behind);
  const most = await looksFor(walk, filter, isCounted);
  const look = most > 0 ? await lookAt(db, walk, most) : undefined;
  const found =
    (look && (await showLook(scope, look, page, most))) ?? (await readFurther(db, scope, walk, page));
  return { ...found, ...(look && { look }) };
}

async function readFurther(db: Db, scope: Scope, walk: Walk, page: Page): Promise<TestPage> {
  const found = await readPage(db, scope, walk, page);
  if (found.next !== null) return found;
  const cut = { ...found, next: await readEnd(db, walk) };
  const { limit, offset = 0 } = page;
  if (cut.next === null || offset === 0 || found.tests.length === limit) return cut;
  // What stands at an offset is told by no walk that ends before it.
  const look = await lookAt(db, walk, highestCount);
  const shown = await showLook(scope, look, page, highestCount);
  if (shown !== null || look.ids.length <= offset) return shown ?? cut;
  const next = await readEnd(db, { ...walk, longest: look.walked });
  return { tests: await readListed(scope, look.ids.slice(offset)), next, left: null };
}

export async function countTests(
  db: Db,
  workspaceId: string,
  filter: TestFilter = {},
  first?: Look,
): Promise<Total> {
  const scope = inWorkspace(db, workspaceId);
  if (!isFiltered(filter)) return { total: await countKept(scope), isExact: true };
  const walk = await walkFor(db, scope, filter);
  if (walk.countCandidates === undefined || isOfIndexedWords(filter)) return await countAll(db, walk);
  const { walked, ids } = first ?? (await lookAt(db, walk, shortWalk));
  if (walked <= shortWalk) return { total: ids.length, isExact: true };
  // Of too many candidates the total is not exact, however many are looked at: where few of them match, few looks will do.
  const isSparse = ids.length < walked / 2 && (await hasTooMany(walk));
  return isSparse ? { total: ids.length, isExact: false } : await countAll(db, walk);
}

async function countAll(db: Db, walk: Walk): Promise<Total> {
  const { rows, unordered = rows, residue, countCandidates } = walk;
  if (countCandidates && residue.length === 0) {
    const walked = await countCandidates(highestCount);
    return { total: Math.min(walked, highestCount), isExact: walked <= highestCount };
  }
  const counted = await sql<{ walked: number; matched: number }>`
    select count(*) as walked, count(case when ${allOf(residue)} then 1 end) as matched
    from (${unordered(highestCount + 1)}) as walked`.execute(db);
  const [{ walked, matched } = { walked: 0, matched: 0 }] = counted.rows;
  return { total: Math.min(matched, highestCount), isExact: walked <= highestCount };
}

/** The rarest trigram spares the question where it can. */
async function hasTooMany({ countCandidates, fewest }: Walk): Promise<boolean> {
  if (countCandidates === undefined || (fewest !== undefined && fewest <= shortWalk)) return false;
  return (await countCandidates(highestCount)) > highestCount;
}

/** Then what the index finds is hardly more than what is asked for. */
function isOfIndexedWords(filter: TestFilter): boolean {
  const { words = [] } = filter;
  return toConditions(filter).length === 0 && words.every((word) => countTrigrams(word) > 0);
}

/** `id`: of the test, and null where it is no test any more. */
type Row = { [column in keyof ListedTest]: ListedTest[column] | null } & { readonly listed: string };

async function readPage(
  db: Db,
  scope: Scope,
  { rows, residue, longest }: Walk,
  page: Page,
): Promise<TestPage> {
  const { limit, offset = 0 } = page;
  const walked = rows(residue.length > 0 ? longest : offset + limit + 1);
  const read = await sql<Row & { readonly place: number | string }>`
    select page.id as listed, page.place, ${sql.join(listedColumns.map((column) => sql.ref(`tests.${column}`)))}
    from (
      select id, place from (${walked}) as walked where ${allOf(residue)}
      order by place desc limit ${limit + 1} offset ${offset}
    ) as page ${withTests(scope)}`.execute(db);
  // In their order already, which no database promises of a join.
  const listed = read.rows.sort((one, other) => (one.place > other.place ? -1 : 1));
  return { ...toPage(listed, page), left: null };
}

/**
 * How many rows are looked at whatever the page takes; 0: none. All of a short list, so that its total is known at once;
 * and those that are looked at anyway to count a list that its index alone does not tell.
 */
async function looksFor(
  { countCandidates, fewest }: Walk,
  filter: TestFilter,
  isCounted: boolean,
): Promise<number> {
  if (countCandidates === undefined) return 0;
  if (isCounted && !isOfIndexedWords(filter)) return shortWalk;
  const short = isCounted ? shortWalk : shortestWalk;
  return (fewest ?? (await countCandidates(short))) <= short ? short : 0;
}

/** In one row, because the index is asked once for it. One row more than `most` tells that there are more. */
async function lookAt(db: Db, { rows, residue }: Walk, most: number): Promise<Look> {
  const read = await sql<{ walked: number; ids: string | null }>`
    select count(*) as walked, string_agg(case when ${allOf(residue)} then id end, ' ' order by place desc) as ids
    from (${rows(most + 1)}) as walked`.execute(db);
  const [{ walked, ids } = { walked: 0, ids: null }] = read.rows;
  return { walked, ids: ids === null ? [] : ids.split(" ") };
}

/** Null: the page has more than was looked at. */
async function showLook(
  scope: Scope,
  { walked, ids }: Look,
  { limit, offset = 0 }: Page,
  most: number,
): Promise<TestPage | null> {
  const isWhole = walked <= most;
  const hasFurther = ids.length > offset + limit;
  if (!isWhole && !hasFurther) return null;
  const shown = ids.slice(offset, offset + limit);
  const tests = shown.length === 0 ? [] : await readListed(scope, shown);
  const next = hasFurther ? (shown.at(-1) ?? null) : null;
  return { tests, next, left: isWhole ? ids.length : null };
}

/** In the order of the ids. */
async function readListed(scope: Scope, ids: readonly string[]): Promise<ListedTest[]> {
  const found = await scope
    .selectFrom("tests")
    .select(listedColumns)
    .where("became", "=", "test")
    .where("id", "in", ids)
    .execute();
  const tests = new Map(found.map((test) => [test.id, test]));
  return ids.flatMap((id) => tests.get(id) ?? []);
}

/**
 * From the page to its tests and never the other way: SQLite takes a workspace for small, and would else look through all
 * of it for a page of ids. A left join keeps that order, and each place of the list.
 */
function withTests({ workspaceId }: Scope): RawBuilder<unknown> {
  return sql`left join tests
    on tests.id = page.id and tests.workspace_id = ${workspaceId} and tests.became = 'test'`;
}

function toPage(rows: readonly Row[], { limit }: Page): Pick<TestPage, "tests" | "next"> {
  const own = rows.slice(0, limit);
  const tests = own.filter((row): row is Row & ListedTest => row.id !== null);
  return { tests, next: rows.length > limit ? (own.at(-1)?.listed ?? null) : null };
}

/** Where a walk that found too little ended before its list did; null: it saw the whole. */
async function readEnd(db: Db, { rows, residue, longest }: Walk): Promise<string | null> {
  if (residue.length === 0) return null;
  const end = await sql<{ id: string }>`
    select id from (${rows(longest + 1)}) as walked order by place desc limit 2 offset ${longest - 1}`.execute(
    db,
  );
  const [last, further] = end.rows;
  return further === undefined ? null : (last?.id ?? null);
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
