// Lists of tests under filters, newest first. One filter leads: an index finds its rows in the order of the list. What
// the others leave out is seen on the way, and the way is bounded: a list that they make sparse is answered with what the
// rows of one walk hold, perhaps nothing, and goes on behind them. So no question costs more than another much.

import { type RawBuilder, sql } from "kysely";
import type { Page } from "./page.ts";
import type { Db, TestStatus, TestsTable } from "./schema.ts";
import { inWorkspace, type Scope } from "./scope.ts";
import { type Asked, countTrigrams, searchOf } from "./search/search.ts";
import { countKept } from "./test-counts.ts";

export type TestFilter = {
  /** Folded words (search-words.ts); all of them in the subject or the sender. */
  readonly words?: readonly string[] | undefined;
  readonly label?: string | undefined;
  readonly status?: TestStatus | undefined;
  readonly fromDomain?: string | undefined;
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
  /** Ids from this one on, and before that one: they begin with the time (ids.ts). */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
};

export type TestPage = {
  readonly tests: readonly TestsTable[];
  /** The list goes on behind this id, though a page may have fewer tests than its limit, or none; null: it ends here. */
  readonly next: string | null;
};

/** Through an index alone; or through one, with a look at each row of tests that it names, which costs five times as much. */
export const longestWalk = 10_000;
export const longestWalkWithLooks = 2_000;
/** What PostgreSQL looks through for common words before it asks its index. */
const firstWalk = 5_000;
export const highestCount = 10_000;

type Walk = {
  /** `id`, `place`, which is their order, and what `residue` looks at; the newest first, so many. */
  readonly rows: (limit: number) => RawBuilder<unknown>;
  /** What a row must fulfil besides. */
  readonly residue: readonly RawBuilder<boolean>[];
  readonly longest: number;
};

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
  if (soon.length > page.limit) return await readPage(scope, soon, page);
  const walk = walkFor(db, scope, behind);
  const ids = await listIds(db, walk, page);
  const found = await readPage(scope, ids, page);
  return found.next === null ? { ...found, next: await readEnd(db, walk) } : found;
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
  if (asked && (await countCandidates(db, asked)) > highestCount) {
    return { total: highestCount, isExact: false };
  }
  const { walked, matched } = await countMatches(db, walkFor(db, scope, filter));
  return { total: Math.min(matched, highestCount), isExact: walked <= highestCount };
}

/** What a search may find, without a look at each. */
async function countCandidates(db: Db, asked: Asked): Promise<number> {
  const counted = await sql<{ walked: number }>`
    select count(*) as walked from (${searchOf(db).selectForCount(asked, highestCount + 1)}) as candidates`.execute(
    db,
  );
  return counted.rows[0]?.walked ?? 0;
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
async function readPage(scope: Scope, ids: readonly string[], { limit }: Page): Promise<TestPage> {
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

function walkFor(db: Db, scope: Scope, filter: TestFilter): Walk {
  const search = searchOf(db);
  const asked = askedOf(scope, filter);
  if (!asked) return walkTests(db, scope, filter);
  // One trigram is the whole word, and needs no second look.
  const unsure = asked.words.filter((word) => countTrigrams(word) !== 1);
  const looks = lookUp(filter);
  return {
    rows: (limit) => search.selectCandidates(asked, limit),
    residue: [...unsure.map(search.holds), ...looks],
    longest: looks.length > 0 ? longestWalkWithLooks : longestWalk,
  };
}

function walkNewest(db: Db, scope: Scope, filter: TestFilter): Walk | undefined {
  const search = searchOf(db);
  const asked = askedOf(scope, filter);
  const { selectNewest } = search;
  if (!asked || selectNewest === null) return undefined;
  return {
    rows: (limit) => selectNewest(asked, limit),
    residue: [...asked.words.map(search.holds), ...lookUp(filter)],
    longest: firstWalk,
  };
}

/** Without a word that its index knows, a search goes through the tests. */
function walkTests(db: Db, scope: Scope, filter: TestFilter): Walk {
  const { words = [], from, before } = filter;
  const conditions = toConditions(filter);
  const lead = conditions.find(({ leads }) => leads);
  const others = conditions.filter((condition) => condition !== lead);
  const columns = new Set(others.map(({ column }) => column));
  const seesIndexAlone = words.length === 0 && [...columns].every((column) => column === "composite");
  const rows = (limit: number) =>
    scope
      .selectFrom("tests")
      .where("became", "=", "test")
      .select(["id", "id as place", ...columns])
      .$if(words.length > 0, (query) =>
        query.innerJoin("test_words", "test_words.test_id", "tests.id").select("test_words.words"),
      )
      .$if(lead !== undefined, (query) => query.where(lead?.is ?? sql.lit(true)))
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

type Condition = {
  readonly column: "label" | "from_domain" | "status" | "composite";
  readonly is: RawBuilder<boolean>;
  /** There is an index of it. */
  readonly leads: boolean;
};

/** In the order in which they lead. */
function toConditions({ label, fromDomain, status, minScore, maxScore }: TestFilter): Condition[] {
  const conditions: Condition[] = [];
  if (label !== undefined) conditions.push({ column: "label", is: sql`label = ${label}`, leads: true });
  if (fromDomain !== undefined)
    conditions.push({ column: "from_domain", is: sql`from_domain = ${fromDomain}`, leads: true });
  // Its index has no analysed ones, and is known to serve by the words of its own condition.
  if (status === "analyzed")
    conditions.push({ column: "status", is: sql`status = 'analyzed'`, leads: false });
  else if (status !== undefined)
    conditions.push({ column: "status", is: sql`status = ${status} and status <> 'analyzed'`, leads: true });
  if (minScore !== undefined)
    conditions.push({ column: "composite", is: sql`composite >= ${minScore}`, leads: false });
  if (maxScore !== undefined)
    conditions.push({ column: "composite", is: sql`composite <= ${maxScore}`, leads: false });
  return conditions;
}

/** The same of rows that a search found. */
function lookUp(filter: TestFilter): RawBuilder<boolean>[] {
  const conditions = toConditions(filter).map(({ is }) => is);
  return conditions.length === 0
    ? []
    : // No `exists`: SQLite would make a join of it, and sort.
      [sql`(select 1 from tests where tests.id = walked.id and ${allOf(conditions)}) = 1`];
}

function askedOf({ workspaceId }: Scope, { words = [], from, before }: TestFilter): Asked | undefined {
  const indexed = words.some((word) => countTrigrams(word) > 0);
  return indexed ? { workspaceId, words, from, before } : undefined;
}

function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `);
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
