// Lists of tests under filters, newest first. One filter leads: an index finds its rows in the order of the list. What
// the others leave out is seen on the way, and the way is bounded: a list that they make sparse is answered with what the
// rows of one walk hold, perhaps nothing, and goes on behind them. So no question costs more than another much.

import { type RawBuilder, sql } from "kysely";
import type { Page } from "../engine/page.ts";
import type { Db, TestsTable } from "../schema/schema.ts";
import { inWorkspace, type Scope } from "../scope.ts";
import type { PageOfMatches } from "../search/search.ts";
import { countTests, highestCount, type Total } from "./totals.ts";
import {
  allOf,
  isOfIndexedWords,
  lookAt,
  shortestWalk,
  shortWalk,
  type TestFilter,
  type Walk,
  walkFor,
  walkNewest,
} from "./walks.ts";

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

/** `isCounted`: more may be looked at than the page needs, because what was seen need not be counted. */
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
  const most = await looksFor(walk, filter, isCounted);
  const look = most > 0 ? await lookAt(db, walk, most) : undefined;
  const found =
    (look && (await showLook(db, scope, look, page, most))) ?? (await readFurther(db, scope, walk, page));
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
  const shown = await showLook(db, scope, look, page, highestCount);
  if (shown !== null || look.matched <= offset) return shown ?? cut;
  const next = await readEnd(db, { ...walk, longest: look.walked });
  return { tests: await readListed(db, scope, look.select(offset, look.matched)), next, left: null };
}

/** `id`: of the test, and null where it is no test any more. */
type Row = { [column in keyof ListedTest]: ListedTest[column] | null } & { readonly listed: string };

/** As text: to build it anew of its columns costs more than to read a few rows. */
const listedRow = sql.raw(
  ["page.id as listed", "page.place", ...listedColumns.map((column) => `tests.${column}`)].join(", "),
);

async function readPage(
  db: Db,
  scope: Scope,
  { rows, residue, longest }: Walk,
  page: Page,
): Promise<TestPage> {
  const { limit, offset = 0 } = page;
  const walked = rows(residue.length > 0 ? longest : offset + limit + 1);
  const read = await sql<Row & { readonly place: number | string }>`
    select ${listedRow} from (
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

/** Null: the page has more than was looked at. */
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

/** `page`: `id` and `place`, which is their order. */
async function readListed(db: Db, scope: Scope, page: RawBuilder<unknown>): Promise<ListedTest[]> {
  const read = await sql<Row & { readonly place: number | string }>`
    select ${listedRow} from (${page}) as page ${withTests(scope)}`.execute(db);
  const listed = read.rows.sort((one, other) => (one.place < other.place ? -1 : 1));
  return listed.filter(isTest);
}

/**
 * From the page to its tests and never the other way: SQLite takes a workspace for small, and would else look through all
 * of it for a page of ids. A left join keeps that order, and each place of the list.
 */
function withTests({ workspaceId }: Scope): RawBuilder<unknown> {
  return sql`left join tests
    on tests.id = page.id and tests.workspace_id = ${workspaceId} and tests.became = 'test'`;
}

function isTest<Listed extends Row>(row: Listed): row is Listed & ListedTest {
  return row.id !== null;
}

function toPage(rows: readonly Row[], { limit }: Page): Pick<TestPage, "tests" | "next"> {
  const own = rows.slice(0, limit);
  const tests = own.filter(isTest);
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

/** Newest first. No more than the first `longestText` characters of a text that a stranger wrote leave the database. */
export async function listExportedTests(
  scope: Scope,
  { limit, after, longestText }: Omit<Page, "offset"> & { readonly longestText: number },
): Promise<ExportedTest[]> {
  const beginningOf = (column: "header_from" | "subject") =>
    sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(longestText)})`.as(column);
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .$if(after !== undefined, (query) => query.where("id", "<", after ?? ""))
    .select(["id", "received_at", beginningOf("header_from"), beginningOf("subject"), "status"])
    .select(["composite", "inbox_rate", "spam_rate", "promo_rate", "spf", "dkim", "dmarc"])
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
