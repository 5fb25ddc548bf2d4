// Lists of tests under filters, newest first. One filter leads: an index finds its rows in the list's order. The other
// filters are applied during the walk, and the walk is bounded: a sparse list returns what one walk found, perhaps
// nothing, and continues after it. So no request costs much more than another.

import { sql } from "kysely";
import type { Page } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { PageOfMatches } from "../../../platform/database/search/search.ts";
import { findByScore, type ScoreOrder, scoredOnly } from "./by-score.ts";
import { allOf, type TestFilter } from "./conditions.ts";
import { isTest, type ListedTest, listedRow, type Row, readListed, withTests } from "./listed.ts";
import { countTests, highestCount, type Total } from "./totals.ts";
import { isOfIndexedWords, lookAt, shortestWalk, shortWalk, type Walk, walkFor, walkNewest } from "./walks.ts";

export type TestPage = {
  readonly tests: readonly ListedTest[];
  /** The list continues after this ID, even if a page has fewer tests than its limit, or none. Null: it ends here. */
  readonly next: string | null;
  /** The number of tests from this page's beginning on, if the page's own walk reached the end. */
  readonly left: number | null;
};

export type TestQuestion = {
  readonly workspaceId: string;
  readonly page: Page;
  readonly filter: TestFilter;
  /** Undefined: newest first. By score, only tests with a score are listed. */
  readonly order?: ScoreOrder | undefined;
  readonly isCounted: boolean;
};

declare module "../../../platform/database/store.ts" {
  interface WholeReads {
    readonly findCountedTests: typeof findCountedTests;
  }
}

/** A page with the total of its list. Null if the page doesn't reveal it and the caller doesn't want a count. */
export async function findCountedTests(
  db: Db,
  { workspaceId, page, filter, order, isCounted }: TestQuestion,
): Promise<TestPage & { readonly counted: Total | null }> {
  if (order !== undefined) {
    const found = await findByScore(db, workspaceId, page, filter, order);
    const counted = isCounted ? await countTests(db, workspaceId, scoredOnly(filter)) : null;
    return { ...found, left: null, counted };
  }
  const { look, ...found } = await readList(db, workspaceId, page, filter, isCounted);
  const seen = page.after === undefined ? seenTotal(page, found) : null;
  if (seen !== null) return { ...found, counted: { total: seen, isExact: true } };
  const first = page.after === undefined ? look : undefined;
  return { ...found, counted: isCounted ? await countTests(db, workspaceId, filter, first) : null };
}

/** For a list's first page, whose walk may have seen all of it. */
function seenTotal({ offset = 0 }: Page, { tests, next, left }: TestPage): number | null {
  return left ?? (offset === 0 && next === null ? tests.length : null);
}

export async function findTests(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter = {},
  order?: ScoreOrder,
): Promise<TestPage> {
  if (order !== undefined) return { ...(await findByScore(db, workspaceId, page, filter, order)), left: null };
  const { look, ...found } = await readList(db, workspaceId, page, filter, true);
  return found;
}

/** `isCounted`: may look at more than the page needs, because rows already seen need no counting. */
async function readList(
  db: Db,
  workspaceId: string,
  page: Page,
  filter: TestFilter,
  isCounted: boolean,
): Promise<TestPage & { readonly look?: PageOfMatches }> {
  const scope = inWorkspace(db, workspaceId);
  const behind = { ...filter, before: earlier(page.after, filter.before) };
  const sooner = walkNewest(db, scope, behind);
  const soon = sooner && (await readPage(db, scope, sooner, page));
  if (soon && soon.next !== null) return soon;
  const walk = await walkFor(db, scope, behind);
  const most = await looksFor(db, walk, filter, isCounted);
  const look = most > 0 ? await lookAt(db, walk, most) : undefined;
  const found = (look && (await showLook(db, scope, look, page, most))) ?? (await readFurther(db, scope, walk, page));
  return { ...found, ...(look && { look }) };
}

async function readFurther(db: Db, scope: Scope, walk: Walk, page: Page): Promise<TestPage> {
  const found = await readPage(db, scope, walk, page);
  if (found.next !== null) return found;
  const cut = { ...found, next: await readEnd(db, walk) };
  const { limit, offset = 0 } = page;
  if (cut.next === null || offset === 0 || found.tests.length === limit) return cut;
  // A walk that ends before the offset says nothing about what is there.
  const look = await lookAt(db, walk, highestCount);
  const shown = await showLook(db, scope, look, page, highestCount);
  if (shown !== null || look.matched <= offset) return shown ?? cut;
  const next = await readEnd(db, { ...walk, longest: look.walked });
  return { tests: await readListed(db, scope, look.select(offset, look.matched)), next, left: null };
}

async function readPage(db: Db, scope: Scope, { rows, residue, longest }: Walk, page: Page): Promise<TestPage> {
  const { limit, offset = 0 } = page;
  const walked = rows(residue.length > 0 ? longest : offset + limit + 1);
  const read = await sql<Row & { readonly place: number | string }>`
    select ${listedRow} from (
      select id, place from (${walked}) as walked where ${allOf(residue)}
      order by place desc limit ${limit + 1} offset ${offset}
    ) as page ${withTests(scope)}`.execute(db);
  // Usually in order already, but no database guarantees that for a join.
  const listed = read.rows.sort((one, other) => (one.place > other.place ? -1 : 1));
  return { ...toPage(listed, page), left: null };
}

/**
 * How many rows are read whatever the page needs. 0: none. It covers all of a short list, so that its total is known at
 * once, and the rows that counting would read anyway if the index alone can't count.
 */
async function looksFor(
  db: Db,
  { countCandidates, fewest }: Walk,
  filter: TestFilter,
  isCounted: boolean,
): Promise<number> {
  if (countCandidates === undefined) return 0;
  if (isCounted && !isOfIndexedWords(db, filter)) return shortWalk;
  const short = isCounted ? shortWalk : shortestWalk;
  return (fewest ?? (await countCandidates(short))) <= short ? short : 0;
}

/** Null: the page needs more than was read. */
async function showLook(
  db: Db,
  scope: Scope,
  { walked, matched, select }: PageOfMatches,
  { limit, offset = 0 }: Page,
  most: number,
): Promise<TestPage | null> {
  const isWhole = walked <= most;
  const hasFurther = matched > offset + limit;
  if (!isWhole && !hasFurther) return null;
  const tests = matched <= offset ? [] : await readListed(db, scope, select(offset, offset + limit));
  const next = hasFurther ? (tests.at(-1)?.id ?? null) : null;
  if (hasFurther && next === null) return null; // all were removed meanwhile
  return { tests, next, left: isWhole ? matched : null };
}

function toPage(rows: readonly Row[], { limit }: Page): Pick<TestPage, "tests" | "next"> {
  const own = rows.slice(0, limit);
  const tests = own.filter(isTest);
  return { tests, next: rows.length > limit ? (own.at(-1)?.listed ?? null) : null };
}

/** Where a walk that found too little ended before its list did. Null: it saw the whole list. */
async function readEnd(db: Db, { rows, residue, longest }: Walk): Promise<string | null> {
  if (residue.length === 0) return null;
  const end = await sql<{ id: string }>`
    select id from (${rows(longest + 1)}) as walked order by place desc limit 2 offset ${longest - 1}`.execute(db);
  const [last, further] = end.rows;
  return further === undefined ? null : (last?.id ?? null);
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
