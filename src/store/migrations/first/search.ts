// What a list of tests is searched by: trigrams of folded words, each with the workspace before it, so that a word that
// is common elsewhere costs nothing where it is rare. Cut by our own code: PostgreSQL's pg_trgm is an extension, which not
// every operator may create, and which sees nothing but ASCII in the locale "C"; SQLite's own trigrams know no workspace.

import type { Words } from "../migration.ts";

export function searchTables(words: Words): string[] {
  return words.dialect === "sqlite" ? sqliteSearch(words) : postgresSearch(words);
}

/** Rows of a workspace ascend with the ids of its tests (store/search/sqlite.ts), so that newest first is the order of the index. */
function sqliteSearch({ text, integer, strict }: Words): string[] {
  return [
    `create table test_words (
      row ${integer} primary key not null,
      test_id ${text} not null unique references tests (id) on delete cascade,
      words ${text} not null
    ) ${strict}`,
    // Where a trigram stands is not kept: the index is half as large, and the words tell it.
    `create virtual table test_trigrams using fts5 (
      trigrams, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
    )`,
    `create trigger test_words_removed after delete on test_words begin
      delete from test_trigrams where rowid = old.row;
    end`,
  ];
}

function postgresSearch({ text }: Words): string[] {
  return [
    `create table test_words (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      words ${text} not null
    )`,
    "create index test_words_newest on test_words (workspace_id, test_id)",
    // Its cost as measured, else the planner would rather cut all words anew than ask the index.
    `create function trigrams_of(workspace_id text, words text) returns text[]
      language sql immutable strict parallel safe cost 5000 as $$
        select array(
          select distinct workspace_id || '_' || substr(words, place, 3)
          from generate_series(1, length(words) - 2) as place
        )
      $$`,
    "create index test_words_trigrams on test_words using gin (trigrams_of(workspace_id, words))",
  ];
}
