// An inverted index (GIN) over the array of a text's trigrams, each with its workspace before it. It gives all that it
// finds at once and in no order, so that common words are first looked for among the newest tests.

import { type RawBuilder, sql } from "kysely";
import { trigramsOf } from "../../search-words.ts";
import { prepare } from "../prepared.ts";
import type { Asked, Search, TestWords } from "./search.ts";

export const postgresSearch: Search = {
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

function matches(asked: Asked): RawBuilder<boolean> {
  const trigrams = asked.words.flatMap(trigramsOf);
  const tokens = trigrams.map((trigram) => `${asked.workspaceId}_${trigram}`);
  return sql`trigrams_of(workspace_id, words) @> ${tokens}::text[] and ${within(asked)}`;
}

function within({ workspaceId, from, before }: Asked): RawBuilder<boolean> {
  return sql`workspace_id = ${workspaceId}
    ${from === undefined ? sql`` : sql`and test_id >= ${from}`}
    ${before === undefined ? sql`` : sql`and test_id < ${before}`}`;
}
