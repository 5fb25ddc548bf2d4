// What tests are searched by, kept in the transaction that writes it. A port with a file a dialect, because each has an
// index of its own for it; what a search finds is the same on both: tests whose subject or sender holds each of the words
// somewhere, whatever their case.

import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import { toSearchWords, trigramsOf } from "../../search-words.ts";
import { isPostgres, prepare } from "../engine/prepared.ts";
import type { Db, TestsTable } from "../schema/schema.ts";
import { createRemembered } from "./remembered.ts";
import { sqliteSearch } from "./sqlite.ts";

export type Search = {
  readonly keep: (db: Db, words: TestWords) => Promise<void>;
  /** Tests that may hold all of the words, newest first: `id`, `words` and `place`, which is their order. */
  readonly selectCandidates: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /** The same in no order, which costs less where many are found. */
  readonly selectUnordered: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /** The same without columns, to be counted. */
  readonly selectForCount: (asked: SearchQuery, limit: number) => RawBuilder<unknown>;
  /** The same by walking all words of the workspace, where that finds common ones sooner than the index; null: it never does. */
  readonly selectNewest: ((asked: SearchQuery, limit: number) => RawBuilder<unknown>) | null;
  /**
   * The trigrams of the words that are rare in the workspace. They alone then find the candidates: looking at a few more
   * of these costs less than meeting the long lists of common ones. Null: the database sees to it by itself.
   */
  readonly findRare: ((db: Db, asked: SearchQuery) => Promise<Rarity>) | null;
  /**
   * Looks at the words of so many candidates, and of one more, which tells that there are more. Null: the database sees to
   * that too, in the query that finds them.
   */
  readonly look:
    | ((db: Db, asked: SearchQuery, words: readonly string[], most: number) => Promise<PageOfMatches>)
    | null;
  /** Whether `words` holds this one. */
  readonly holds: (word: string) => RawBuilder<boolean>;
};

type Rarity = {
  readonly rare: readonly string[];
  /** How many tests hold the rarest at least; the search finds hardly more. */
  readonly fewest: number;
};

export type PageOfMatches = {
  readonly walked: number;
  readonly matched: number;
  /** Of those that match: `id` and `place`, counted from 0, in the order of the list. */
  readonly select: (from: number, to: number) => RawBuilder<unknown>;
  /** The same with so many more; undefined: it would begin anew. */
  readonly goOn?: (more: number) => Promise<Pick<PageOfMatches, "walked" | "matched">>;
};

type TestWords = { readonly testId: string; readonly workspaceId: string; readonly words: string };

export type SearchQuery = {
  readonly workspaceId: string;
  /** At least one of them has a trigram. */
  readonly words: readonly string[];
  /** What `findRare` found. */
  readonly rare?: readonly string[];
  /** Ids from this one on, and before that one. */
  readonly from: string | undefined;
  readonly before: string | undefined;
};

/** Of a subject and of a sender as many characters are searched. */
const longestSearched = 400;

export function searchOf(db: Db): Search {
  return isPostgres(db) ? postgresSearch : sqliteSearch;
}

/** What a search may find, without a look at each: more than `most` counts as one more. */
export async function countCandidates(db: Db, asked: SearchQuery, most: number): Promise<number> {
  const { rows } = await db.executeQuery(compileCount(db, asked, most));
  return rows[0]?.count ?? 0;
}

function compileCount(db: Db, asked: SearchQuery, most: number): CompiledQuery<{ count: number }> {
  return sql<{ count: number }>`
    select count(*) as count from (${searchOf(db).selectForCount(asked, most + 1)}) as candidates`.compile(
    db,
  );
}

/** It stays true but where tests are removed, and many searches have a common word in common. */
const tooMany = createRemembered<true>({ forMs: 60_000, most: 1_000 });

/** Whether a search may find more; that it may is remembered for a while. */
export async function hasMoreCandidates(db: Db, asked: SearchQuery, most: number): Promise<boolean> {
  const count = compileCount(db, asked, most);
  const key = JSON.stringify([count.sql, ...count.parameters.map(String)]);
  if (tooMany.recall(db, key)) return true;
  const { rows } = await db.executeQuery(count);
  const hasMore = (rows[0]?.count ?? 0) > most;
  if (hasMore) tooMany.remember(db, key, true);
  return hasMore;
}

export async function keepTestWords(
  db: Db,
  {
    id,
    workspace_id,
    subject,
    header_from,
  }: Pick<TestsTable, "id" | "workspace_id" | "subject" | "header_from">,
): Promise<void> {
  const words = [subject, header_from].flatMap((text) =>
    toSearchWords((text ?? "").slice(0, longestSearched)),
  );
  await searchOf(db).keep(db, { testId: id, workspaceId: workspace_id, words: words.join(" ") });
}

/** A shorter word has none, and is looked for among those that other words or other filters find. */
export function countTrigrams(word: string): number {
  return trigramsOf(word).length;
}

// An inverted index (GIN) over the array of a text's trigrams, each with its workspace before it. It gives all that it
// finds at once and in no order, so that common words are first looked for among the newest tests.

const postgresSearch: Search = {
  keep: async (db, words) => void (await upsertWords(db, words)),

  // Sorted behind a fence: else the planner may walk all words in their order, in the hope of finding some soon.
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
