// FTS5 as an index of trigrams, each token prefixed with its workspace. A row's number follows the order of its test's
// ID, so that reading the index backward gives the newest first and stops when a page is full. The number begins with
// the workspace, so that the words that a search reads are stored close together.

import { type RawBuilder, sql } from "kysely";
import { toPlace } from "../../ids.ts";
import { trigramsOf } from "../../search-words.ts";
import { prepare } from "../engine/prepared.ts";
import type { RawDb } from "../engine/sqlite-database.ts";
import { deferToCommit } from "../engine/write-context.ts";
import type { Db } from "../schema.ts";
import { createRemembered } from "./remembered.ts";
import type { PageOfMatches, Search, SearchQuery } from "./search.ts";
import { pickHolding, selectTests } from "./sqlite-rows.ts";

export const sqliteSearch: Search = {
  keep: async (db, { testId, workspaceId, words }) => {
    let [kept] = (await insertWords(db, { testId, words, row: toPlace(workspaceId, testId) })).rows;
    if (!kept) {
      [kept] = (await replaceWords(db, { testId, words })).rows;
      if (!kept) return;
      await noteReplaced(db, {});
    }
    const trigrams = new Set(words.split(" ").flatMap(trigramsOf));
    const tokens = [...trigrams].map((trigram) => toToken(workspaceId, trigram));
    deferToCommit(putTrigrams, { ...kept, tokens: tokens.join(" ") });
  },

  selectCandidates,
  selectUnordered: selectCandidates, // the order of the index

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

async function look(db: Db, asked: SearchQuery, words: readonly string[], most: number): Promise<PageOfMatches> {
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
 * Row numbers in order, highest first, separated by spaces, after `last`. They are concatenated in the order of the
 * limited subquery. With an explicit sort SQLite takes twice as long.
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

/** A trigram is rare if at most this many tests have it. */
const rareUpTo = 2_000;
/** Only the rarest are used: one more index lookup costs as much as checking a hundred tests. */
const askedTogether = 2;
/** Limit for a long search, because each is a query. */
const mostTrigrams = 40;

/**
 * How many tests have a trigram, by its phrase. Asking costs as much as the search. An old number only guides which
 * trigrams to use and doesn't change the results, so it may be this old.
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

/** Its number as text, because it exceeds the safe range of a number. */
type KeptRow = { readonly row: string };

const replaceWords = prepare<Omit<NewWords, "row">, KeptRow>((db, { testId, words }) =>
  db
    .updateTable("test_words")
    .set({ words })
    .where("test_id", "=", testId)
    .where("words", "<>", words)
    .returning(sql<string>`cast(row as text)`.as("row")),
);

/** How often words were replaced, for the cache of sqlite-rows.ts. */
const replacements = "test_words_replaced";

const noteReplaced = prepare((db) =>
  db
    .insertInto("meta")
    .values({ key: replacements, value: "1" })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: sql<string>`cast(meta.value + 1 as text)` })),
);

/**
 * The row numbers of two tests in one millisecond may collide, because not all of their random part fits. The next free
 * number is taken.
 */
const insertWords = prepare<NewWords, KeptRow>((db, { testId, words, row }) => ({
  compile: () =>
    sql<KeptRow>`
      with recursive place (row) as (
        values (${row})
        union all
        select row + 1 from place where exists (select 1 from test_words where test_words.row = place.row)
      )
      insert into test_words (row, test_id, words) select max(row), ${testId}, ${words} from place where true
      on conflict (test_id) do nothing
      returning cast(row as text) as row
    `.compile(db),
}));

type Trigrams = KeptRow & { readonly tokens: string };

/**
 * The index writes a segment whenever a savepoint is set (also by a statement that selects what it inserts) and
 * whenever rows arrive out of order. So each commit writes one segment for all its tests, in order.
 */
function putTrigrams(raw: RawDb, tests: readonly Trigrams[]): void {
  const tokens = new Map(tests.map((test) => [test.row, test.tokens]));
  // Those that were not removed since.
  const kept = raw.all<KeptRow>(
    "select cast(row as text) as row from json_each(?) cross join test_words on row = value order by test_words.row",
    [`[${[...tokens.keys()]}]`],
  );
  for (const { row } of kept)
    raw.run("insert or replace into test_trigrams (rowid, trigrams) values (?, ?)", [
      BigInt(row),
      tokens.get(row) ?? "",
    ]);
}

const indexedAtOnce = 500;

/** Fills an empty index, for a copy that came from PostgreSQL. */
export function indexWords(raw: RawDb): void {
  for (let after = -1n; ; ) {
    const rows = raw.all<{ row: string; words: string; workspace_id: string }>(
      `select cast(test_words.row as text) as row, test_words.words, tests.workspace_id
        from test_words join tests on tests.id = test_words.test_id
        where test_words.row > ? order by test_words.row limit ?`,
      [after, BigInt(indexedAtOnce)],
    );
    for (const { row, words, workspace_id } of rows) {
      const trigrams = new Set(words.split(" ").flatMap(trigramsOf));
      const tokens = [...trigrams].map((trigram) => toToken(workspace_id, trigram)).join(" ");
      raw.run("insert into test_trigrams (rowid, trigrams) values (?, ?)", [BigInt(row), tokens]);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = BigInt(last.row);
  }
}

function matches({ words, rare = [], workspaceId, from, before }: SearchQuery): RawBuilder<boolean> {
  const trigrams = rare.length > 0 ? rare : enoughOf(words);
  const match = trigrams.map((trigram) => toPhrase(workspaceId, trigram)).join(" AND ");
  return sql`test_trigrams match ${match}
    ${from === undefined ? sql`` : sql`and test_trigrams.rowid >= ${toPlace(workspaceId, from)}`}
    ${before === undefined ? sql`` : sql`and test_trigrams.rowid < ${rowOf(workspaceId, before)}`}`;
}

/** Every third of a word's trigrams and its last one. The words themselves are checked afterward. */
function enoughOf(words: readonly string[]): string[] {
  const trigrams = words.flatMap((word) =>
    trigramsOf(word).filter((_, place, all) => place % 3 === 0 || place === all.length - 1),
  );
  return [...new Set(trigrams)];
}

function toPhrase(workspaceId: string, trigram: string): string {
  return `"${toToken(workspaceId, trigram)}"`;
}

/** Only letters, digits and underscores, whatever the trigram, because other characters have meaning in FTS5. */
function toToken(workspaceId: string, trigram: string): string {
  return `${workspaceId}_${Buffer.from(trigram).toString("hex")}`;
}

/** The ID may be that of another workspace's test. */
function rowOf(workspaceId: string, testId: string): RawBuilder<unknown> {
  return sql`coalesce(
    (select row from test_words join tests on tests.id = test_words.test_id
      where test_words.test_id = ${testId} and tests.workspace_id = ${workspaceId}),
    ${toPlace(workspaceId, testId)})`;
}

/**
 * A search reads each segment of the index, and commits leave many small ones. This merges segments of equal size, this
 * many pages at once. Returns whether there is more to merge.
 */
export function mergeSegments(raw: RawDb, pages: number): boolean {
  const command = "insert into test_trigrams (test_trigrams, rank) values (?, ?)";
  const countChanges = () => raw.all<{ count: number }>("select total_changes() as count")[0]?.count ?? 0;
  // By default FTS5 waits for four.
  const configured = raw.all("select 1 from test_trigrams_config where k = 'usermerge' and v = 2");
  if (configured.length === 0) raw.run(command, ["usermerge", 2n]);
  const before = countChanges();
  raw.run(command, ["merge", BigInt(pages)]);
  return countChanges() - before > 1; // the command itself counts as one
}
