// FTS5 as an index of trigrams, each a token with its workspace before it. A row's number tells the place of its test's
// id in their order, so that the index read backwards gives the newest first and stops when a page is full. It begins with
// the workspace, so that the words that a search looks at are near one another, however many others there are.

import { type RawBuilder, sql } from "kysely";
import { toPlace } from "../../ids.ts";
import { trigramsOf } from "../../search-words.ts";
import { prepare } from "../engine/prepared.ts";
import type { RawDb } from "../engine/sqlite-database.ts";
import { deferToCommit } from "../engine/write-context.ts";
import type { Db } from "../schema/schema.ts";
import { createRemembered } from "./remembered.ts";
import type { PageOfMatches, Search, SearchQuery } from "./search.ts";
import { pickHolding, selectTests } from "./sqlite-rows.ts";

export const sqliteSearch: Search = {
  keep: async (db, { testId, workspaceId, words }) => {
    const row = toPlace(workspaceId, testId);
    const { changed: replaced } = await replaceWords(db, { testId, words });
    if (replaced > 0) await noteReplaced(db, {});
    else if ((await insertWords(db, { testId, words, row })).changed === 0) return;
    const trigrams = new Set(words.split(" ").flatMap(trigramsOf));
    const tokens = [...trigrams].map((trigram) => toToken(workspaceId, trigram));
    deferToCommit(putTrigrams, { testId, tokens: tokens.join(" "), row });
  },

  selectCandidates,
  selectUnordered: selectCandidates, // which is the order of the index

  selectForCount: (asked, limit) => sql`select 1 from test_trigrams where ${matches(asked)} limit ${limit}`,

  selectNewest: null,

  findRare: async (db, { workspaceId, words }) => {
    const trigrams = [...new Set(words.flatMap(trigramsOf))].slice(0, mostTrigrams);
    const phrases = trigrams.map((trigram) => toPhrase(workspaceId, trigram));
    const tests = await countTests(db, phrases);
    const counts = trigrams.map((trigram, index) => ({ trigram, tests: tests[index] ?? 0 }));
    counts.sort((one, other) => one.tests - other.tests);
    return {
      rare: counts
        .slice(0, askedTogether)
        .filter(({ tests }) => tests <= rareUpTo)
        .map(({ trigram }) => trigram),
      fewest: counts[0]?.tests ?? 0,
    };
  },

  look,

  holds: (word) => sql<boolean>`instr(words, ${word}) > 0`,
};

function selectCandidates(asked: SearchQuery, limit: number): RawBuilder<unknown> {
  return sql`
    select test_words.test_id as id, test_words.words, test_trigrams.rowid as place
    from test_trigrams cross join test_words on test_words.row = test_trigrams.rowid
    where ${matches(asked)} order by test_trigrams.rowid desc limit ${limit}`;
}

async function look(
  db: Db,
  asked: SearchQuery,
  words: readonly string[],
  most: number,
): Promise<PageOfMatches> {
  const { walked, rows, version } = await walk(db, asked, most + 1);
  const pick = { workspaceId: asked.workspaceId, words };
  const matching = await pickHolding(db, { ...pick, rows, version });
  const last = rows.slice(rows.lastIndexOf(" ") + 1);
  return {
    walked,
    matched: matching.length,
    select: (from, to) => selectTests(matching.slice(from, to)),
    goOn: async (more) => {
      const further = await walk(db, asked, more, last);
      const found = await pickHolding(db, { ...pick, ...further });
      return { walked: walked + further.walked, matched: matching.length + found.length };
    },
  };
}

/**
 * Numbers of rows in their order, the highest first, parted by spaces; `last`: behind this one. They are put together in
 * the order in which the limited query gives them: told to sort them too, SQLite takes twice as long.
 */
async function walk(
  db: Db,
  asked: SearchQuery,
  limit: number,
  last = "",
): Promise<{ walked: number; rows: string; version: string | null }> {
  const behind = last === "" ? sql`` : sql`and rowid < ${BigInt(last)}`;
  const read = await sql<{ walked: number; rows: string | null; version: string | null }>`
    select count(*) as walked, string_agg(place, ' ') as rows,
      (select value from meta where key = ${replacements}) as version
    from (
      select rowid as place from test_trigrams where ${matches(asked)} ${behind}
      order by rowid desc limit ${limit})`.execute(db);
  const [{ walked, rows, version } = { walked: 0, rows: null, version: null }] = read.rows;
  return { walked, rows: rows ?? "", version };
}

/** A trigram is rare that stands in at most so many tests. */
const rareUpTo = 2_000;
/** The rarest of them: to find the place of one more in the index costs as much as to look at a hundred tests. */
const askedTogether = 2;
/** Of a long search are asked for; each is a question of its own. */
const mostTrigrams = 40;

/**
 * How many tests hold a trigram, by its phrase: asking costs as much as the search. An old figure says what is worth asking
 * for, and nothing of what is found; it may be so old, and no older.
 */
const counted = createRemembered<number>({ forMs: 300_000, most: 50_000 });
type Count = { readonly phrase: string; readonly tests: number };

/** In the order of the phrases. */
async function countTests(db: Db, phrases: readonly string[]): Promise<number[]> {
  const known = new Map(phrases.map((phrase) => [phrase, counted.recall(db, phrase)]));
  const unknown = phrases.filter((phrase) => known.get(phrase) === undefined);
  for (const { phrase, tests } of await askForCounts(db, unknown)) {
    known.set(phrase, tests);
    counted.remember(db, phrase, tests);
  }
  return phrases.map((phrase) => known.get(phrase) ?? 0);
}

async function askForCounts(db: Db, phrases: readonly string[]): Promise<Count[]> {
  if (phrases.length === 0) return [];
  const counts = phrases.map(
    (phrase) => sql`select ${phrase} as phrase, count(*) as tests from (
      select 1 from test_trigrams where test_trigrams match ${phrase} limit ${rareUpTo + 1})`,
  );
  const asked = sql<Count>`${sql.join(counts, sql` union all `)}`;
  return (await asked.execute(db)).rows;
}

type NewWords = { testId: string; words: string; row: bigint };

const replaceWords = prepare<Omit<NewWords, "row">>((db, { testId, words }) =>
  db.updateTable("test_words").set({ words }).where("test_id", "=", testId).where("words", "<>", words),
);

/** How often words were replaced, for those who keep some (sqlite-rows.ts). */
const replacements = "test_words_replaced";

const noteReplaced = prepare((db) =>
  db
    .insertInto("meta")
    .values({ key: replacements, value: "1" })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({ value: sql<string>`cast(meta.value + 1 as text)` }),
    ),
);

/** Two tests of one millisecond may be alike in what the number has of their randomness: the next free one is taken. */
const insertWords = prepare<NewWords>((db, { testId, words, row }) => ({
  compile: () =>
    sql`
      with recursive place (row) as (
        values (${row})
        union all
        select row + 1 from place where exists (select 1 from test_words where test_words.row = place.row)
      )
      insert into test_words (row, test_id, words) select max(row), ${testId}, ${words} from place where true
      on conflict (test_id) do nothing
    `.compile(db),
}));

type Trigrams = { readonly testId: string; readonly tokens: string; readonly row: bigint };

/**
 * The index writes a segment whenever a savepoint is set, and a statement that selects what it inserts sets one; and
 * whenever a row comes before the last: so each commit writes one for all its tests, which it puts in their order.
 */
function putTrigrams(raw: RawDb, tests: readonly Trigrams[]): void {
  const inOrder = tests.toSorted((one, other) => (one.row < other.row ? -1 : one.row > other.row ? 1 : 0));
  for (const test of inOrder) putTrigramsOf(raw, test);
}

function putTrigramsOf(raw: RawDb, { testId, tokens }: Trigrams): void {
  // As text, because it has more digits than a number of ours.
  const [place] = raw.all<{ row: string }>(
    "select cast(row as text) as row from test_words where test_id = ?",
    [testId],
  );
  if (place === undefined) return;
  raw.run("insert or replace into test_trigrams (rowid, trigrams) values (?, ?)", [
    BigInt(place.row),
    tokens,
  ]);
}

function matches({ words, rare = [], workspaceId, from, before }: SearchQuery): RawBuilder<boolean> {
  const trigrams = rare.length > 0 ? rare : enoughOf(words);
  const match = trigrams.map((trigram) => toPhrase(workspaceId, trigram)).join(" AND ");
  return sql`test_trigrams match ${match}
    ${from === undefined ? sql`` : sql`and test_trigrams.rowid >= ${toPlace(workspaceId, from)}`}
    ${before === undefined ? sql`` : sql`and test_trigrams.rowid < ${rowOf(workspaceId, before)}`}`;
}

/** Every third of a word's trigrams and its last: the words themselves are looked at afterwards. */
function enoughOf(words: readonly string[]): string[] {
  const trigrams = words.flatMap((word) =>
    trigramsOf(word).filter((_, place, all) => place % 3 === 0 || place === all.length - 1),
  );
  return [...new Set(trigrams)];
}

function toPhrase(workspaceId: string, trigram: string): string {
  return `"${toToken(workspaceId, trigram)}"`;
}

/** Nothing but letters, digits and underscores, whatever the trigram: the rest has meaning to FTS5. */
function toToken(workspaceId: string, trigram: string): string {
  return `${workspaceId}_${Buffer.from(trigram).toString("hex")}`;
}

/** A bound may be of another workspace's test. */
function rowOf(workspaceId: string, testId: string): RawBuilder<unknown> {
  return sql`coalesce(
    (select row from test_words join tests on tests.id = test_words.test_id
      where test_words.test_id = ${testId} and tests.workspace_id = ${workspaceId}),
    ${toPlace(workspaceId, testId)})`;
}

/**
 * A search asks each segment of the index, and commits leave many small ones: those of a size are merged, so many pages at
 * once. Answers whether there is more to merge.
 */
export function mergeSegments(raw: RawDb, pages: number): boolean {
  const command = "insert into test_trigrams (test_trigrams, rank) values (?, ?)";
  const countChanges = () => raw.all<{ count: number }>("select total_changes() as count")[0]?.count ?? 0;
  // Unless told, FTS5 waits for four.
  const told = raw.all("select 1 from test_trigrams_config where k = 'usermerge' and v = 2");
  if (told.length === 0) raw.run(command, ["usermerge", 2n]);
  const before = countChanges();
  raw.run(command, ["merge", BigInt(pages)]);
  return countChanges() - before > 1; // the command itself is one
}
