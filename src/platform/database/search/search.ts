// The search index of tests, updated in the transaction that writes them. A port with one implementation for each
// dialect, because their indexes differ. Results are the same on both: tests whose subject or sender contains each of
// the words anywhere, in any case.

import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { toSearchWords, trigramsOf } from "../../search-words.ts";
import { isPostgres, prepare } from "../engine/prepared.ts";
import type { Db } from "../schema.ts";
import { createRemembered } from "./remembered.ts";
import { sqliteSearch } from "./sqlite.ts";

export type Search = {
  readonly keep: (db: Db, words: TestWords) => Promise<void>;
  /** Tests that may contain all of the words, newest first: `id`, `words` and `place`, which is their order. */
  readonly selectCandidates: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /** The same in no order, which is cheaper if many are found. */
  readonly selectUnordered: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /** The same without columns, for counting. */
  readonly selectForCount: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /**
   * The same by walking all words of the workspace, if that finds common ones sooner than the index. Null: it never
   * does.
   */
  readonly selectNewest: ((asked: SearchQuery, limit: number) => RawBuilder<unknown>) | null;
  /**
   * Finds the trigrams that are rare in the workspace. They alone then find the candidates: checking a few more
   * candidates costs less than intersecting the long lists of common trigrams. Null: the database does this itself.
   */
  readonly findRare: ((db: Db, asked: SearchQuery) => Promise<Rarity>) | null;
  /**
   * Checks the words of this many candidates, and of one more to know whether there are more. Null: the database does
   * it in the query that finds them.
   */
  readonly look:
    | ((db: Db, asked: SearchQuery, words: readonly string[], most: number) => Promise<PageOfMatches>)
    | null;
  /** Whether `words` contains this one. */
  readonly holds: (word: string) => RawBuilder<boolean>;
};

type Rarity = {
  readonly rare: readonly string[];
  /** How many tests have the rarest trigram. The search finds hardly more. */
  readonly fewest: number;
};

export type PageOfMatches = {
  readonly walked: number;
  readonly matched: number;
  /** The matching tests: `id` and `place`, counted from 0, in the order of the list. */
  readonly select: (from: number, to: number) => RawBuilder<unknown>;
  /** The same with this many more. Undefined: it would have to start over. */
  readonly goOn?: (more: number) => Promise<Pick<PageOfMatches, "walked" | "matched">>;
};

type TestWords = { readonly testId: string; readonly workspaceId: string; readonly words: string };

export type SearchQuery = {
  readonly workspaceId: string;
  /** At least one of them has a trigram. */
  readonly words: readonly string[];
  /** What `findRare` found. */
  readonly rare?: readonly string[];
  /** IDs from this one on, and before that one. */
  readonly from: string | undefined;
  readonly before: string | undefined;
};

/** This many characters of a subject and of a sender are searchable. */
const longestSearched = 400;

export function searchOf(db: Db): Search {
  return isPostgres(db) ? postgresSearch : sqliteSearch;
}

/** An upper bound for a search's results, without checking each. More than `most` counts as one more. */
export async function countCandidates(db: Db, asked: SearchQuery, most: number): Promise<number> {
  const { rows } = await db.executeQuery(compileCount(db, asked, most));
  return rows[0]?.count ?? 0;
}

function compileCount(db: Db, asked: SearchQuery, most: number): CompiledQuery<{ count: number }> {
  return sql<{ count: number }>`
    select count(*) as count from (${searchOf(db).selectForCount(asked, most + 1)}) as candidates`.compile(db);
}

/** It stays true unless tests are removed, and many searches share a common word. */
const tooMany = createRemembered<true>({ forMs: 60_000, most: 1_000 });

/** Whether a search may find more than that. A yes is cached for a while. */
export async function hasMoreCandidates(db: Db, asked: SearchQuery, most: number): Promise<boolean> {
  const count = compileCount(db, asked, most);
  const key = JSON.stringify([count.sql, ...count.parameters.map(String)]);
  if (tooMany.recall(db, key)) return true;
  const { rows } = await db.executeQuery(count);
  const hasMore = (rows[0]?.count ?? 0) > most;
  if (hasMore) tooMany.remember(db, key, true);
  return hasMore;
}

type IndexedTest = {
  readonly id: string;
  readonly workspace_id: string;
  readonly subject: string | null;
  readonly header_from: string | null;
};

export async function keepTestWords(db: Db, { id, workspace_id, subject, header_from }: IndexedTest): Promise<void> {
  const words = [subject, header_from].flatMap((text) => toSearchWords((text ?? "").slice(0, longestSearched)));
  await searchOf(db).keep(db, { testId: id, workspaceId: workspace_id, words: words.join(" ") });
}

/** Shorter words have none. They are checked among the results of other words or filters. */
export function countTrigrams(word: string): number {
  return trigramsOf(word).length;
}

// An inverted index (GIN) over the array of a text's trigrams, each prefixed with its workspace. It returns all results
// at once and unordered, so common words are first searched among the newest tests.

const postgresSearch: Search = {
  keep: async (db, words) => void (await upsertWords(db, words)),

  // Sorted in a materialized subquery. Otherwise the planner may walk all words in order, hoping to find some soon.
  selectCandidates: (asked, limit) => sql`
    with candidates as materialized (
      select test_id, words from test_words
      where ${matches(asked)}
    )
    select test_id as id, words, test_id as place from candidates order by test_id desc limit ${limit}`,

  selectUnordered: (asked, limit) => sql`
    select test_id as id, words, test_id as place from test_words where ${matches(asked)} limit ${limit}`,

  selectForCount: (asked, limit) => sql`select 1 from test_words where ${matches(asked)} limit ${limit}`,

  selectNewest: (asked, limit) => sql`
    select test_id as id, words, test_id as place from test_words
    where ${within(asked)} order by test_id desc limit ${limit}`,

  findRare: null,

  look: null,

  holds: (word) => sql<boolean>`strpos(words, ${word}) > 0`,
};

const upsertWords = prepare<TestWords>((db, { testId, workspaceId, words }) => ({
  compile: () =>
    sql`
      insert into test_words (test_id, workspace_id, words) values (${testId}, ${workspaceId}, ${words})
      on conflict (test_id) do update set words = excluded.words where test_words.words <> excluded.words
    `.compile(db),
}));

function matches(asked: SearchQuery): RawBuilder<boolean> {
  const trigrams = asked.words.flatMap(trigramsOf);
  const tokens = trigrams.map((trigram) => `${asked.workspaceId}_${trigram}`);
  return sql`trigrams_of(workspace_id, words) @> ${tokens}::text[] and ${within(asked)}`;
}

function within({ workspaceId, from, before }: SearchQuery): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId}
    ${from === undefined ? sql`` : sql`and test_id >= ${from}`}
    ${before === undefined ? sql`` : sql`and test_id < ${before}`}`;
}
