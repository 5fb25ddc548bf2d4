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

/** Candidates that tell whether a list is sparse. */
const looksAtFirst = 2_000;

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
  const found = await findTests(db, workspaceId, page, filter, isCounted ? shortWalk : shortestWalk);
  const seen = page.after === undefined ? seenTotal(page, found) : null;
  if (seen !== null) return { ...found, counted: { total: seen, isExact: true } };
  return { ...found, counted: isCounted ? await countTests(db, workspaceId, filter) : null };
}

/** Of a list's first page, whose walk may have seen the whole. */
function seenTotal({ offset = 0 }: Page, { tests, next, left }: TestPage): number | null {
  return left ?? (offset === 0 && next === null ? tests.length : null);
}

/** `whole`: a list of so many is walked to its end, which tells its total by the way. */
export async function findTests(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter = {},
  whole = shortWalk,
): Promise<TestPage> {
  const scope = inWorkspace(db, workspaceId);
  const behind = { ...filter, before: earlier(page.after, filter.before) };
  const sooner = walkNewest(db, scope, behind);
  const soon = sooner && (await readPage(db, scope, sooner, page));
  if (soon && soon.next !== null) return soon;
  const walk = await walkFor(db, scope, behind);
  const short = await readShort(db, scope, walk, page, whole);
  if (short) return short;
  const found = await readPage(db, scope, walk, page);
  return found.next === null ? { ...found, next: await readEnd(db, walk) } : found;
}

export async function countTests(db: Db, workspaceId: string, filter: TestFilter = {}): Promise<Total> {
  const scope = inWorkspace(db, workspaceId);
  if (!isFiltered(filter)) return { total: await countKept(scope), isExact: true };
  const walk = await walkFor(db, scope, filter);
  if (walk.countCandidates !== undefined) {
    if (!isOfIndexedWords(filter)) return await countSparse(db, walk);
    if (await hasTooMany(walk)) return { total: highestCount, isExact: false };
  }
  return await countAll(db, walk);
}

/** Of too many candidates the total is not exact, however many are looked at: where few of them match, few looks will do. */
async function countSparse(db: Db, walk: Walk): Promise<Total> {
  const { walked, matched } = await countMatches(db, walk, looksAtFirst);
  if (walked < looksAtFirst) return { total: matched, isExact: true };
  const isSparse = matched < walked / 2 && (await hasTooMany(walk));
  return isSparse ? { total: matched, isExact: false } : await countAll(db, walk);
}

async function countAll(db: Db, walk: Walk): Promise<Total> {
  const { walked, matched } = await countMatches(db, walk, highestCount + 1);
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

async function countMatches(
  db: Db,
  { rows, residue }: Walk,
  most: number,
): Promise<{ walked: number; matched: number }> {
  const counted = await sql<{ walked: number; matched: number }>`
    select count(*) as walked, count(case when ${allOf(residue)} then 1 end) as matched
    from (${rows(most)}) as walked`.execute(db);
  return counted.rows[0] ?? { walked: 0, matched: 0 };
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

/** All that the list has is seen, so that its total is known at once; null: it is longer than that. */
async function readShort(
  db: Db,
  scope: Scope,
  walk: Walk,
  page: Page,
  most: number,
): Promise<TestPage | null> {
  const { rows, residue, countCandidates, fewest } = walk;
  const { limit, offset = 0 } = page;
  if (countCandidates === undefined) return null;
  if ((fewest ?? (await countCandidates(most))) > most) return null;
  // In one row, because the index is asked once for it.
  const read = await sql<{ walked: number; ids: string | null }>`
    select count(*) as walked, string_agg(case when ${allOf(residue)} then id end, ' ' order by place desc) as ids
    from (${rows(most + 1)}) as walked`.execute(db);
  const [{ walked, ids: matched } = { walked: 0, ids: null }] = read.rows;
  // What was thought short may have grown.
  if (walked > most) return null;
  const all = matched === null ? [] : matched.split(" ");
  const ids = all.slice(offset, offset + limit);
  const tests = ids.length === 0 ? [] : await readListed(scope, ids);
  const next = all.length > offset + limit ? (ids.at(-1) ?? null) : null;
  return { tests, next, left: all.length };
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
