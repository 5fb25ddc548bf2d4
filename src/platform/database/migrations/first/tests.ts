import type { Words } from "../migration.ts";

/** Nearly all tests are analyzed and easily found. This index finds the others. */
const unfinished =
  "create index tests_unfinished on tests (workspace_id, status, became, id, composite) where status <> 'analyzed'";

/**
 * On SQLite, where each index costs the main thread time, received mail enters one index less. Tests that are waiting or
 * being analyzed are listed through the index of the queue (features/tests/rows/walks.ts), which therefore includes workspace and status.
 */
const ofQueue = [
  "create index tests_due on tests (due_at, id, workspace_id, status) where due_at is not null",
  "create index tests_failed on tests (workspace_id, became, id, composite) where status = 'failed'",
];

export function testTables(words: Words): string[] {
  const { dialect, text, integer, real, bytes, strict, clustered, trigger } = words;
  return [
    `create table tests (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      seed_inbox_id ${text},
      became ${text} not null default 'test',
      status ${text} not null,
      received_at ${integer} not null,
      analyzed_at ${integer},
      label ${text},
      sender ${text},
      header_from ${text},
      from_domain ${text},
      subject ${text},
      recipients ${text} not null,
      message_id ${text},
      size_bytes ${integer} not null,
      spf ${text},
      dkim ${text},
      dmarc ${text},
      composite ${real},
      coverage ${real},
      judged_composite ${real},
      inbox_rate ${real},
      spam_rate ${real},
      promo_rate ${real},
      kind ${text},
      kind_override ${text},
      body_key ${text},
      tries_alone ${integer} not null,
      failure ${text},
      send_id ${text},
      sample ${integer} not null default 0,
      ${claimColumns(words)},
      attachments ${integer},
      stream_id ${text},
      traits ${text},
      malware ${text},
      door ${text}
    ) ${strict}${clustered}`,
    // Includes the score, because lists by score walk them.
    "create index tests_newest on tests (workspace_id, became, id, composite)",
    ...(dialect === "postgres" ? [unfinished] : []),
    "create index tests_of_domain on tests (workspace_id, from_domain, became, id, composite) where from_domain is not null",
    "create index tests_of_label on tests (workspace_id, label, became, id, composite) where label is not null",
    "create index tests_of_message on tests (workspace_id, message_id, became, id) where message_id is not null",
    "create index tests_of_send on tests (send_id) where send_id is not null",
    "create index tests_of_laboratory on tests (workspace_id, label, id) where sample <> 0",
    ...(dialect === "postgres" ? ["create index tests_due on tests (due_at, id) where due_at is not null"] : ofQueue),
    // Received mail enters no index more, because it has no score and no stream yet.
    "create index tests_by_score on tests (workspace_id, became, composite, id) where composite is not null",
    "create index tests_of_stream on tests (stream_id, id) where stream_id is not null",
    `create table raw_messages (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      encoding ${integer} not null,
      bytes ${bytes} not null,
      session ${text} not null,
      stored_in ${text},
      object_key ${text},
      object_hash ${text},
      object_bytes ${integer}
    ) ${strict}`,
    // Includes the size, so that the sum of all sizes reads no row.
    "create unique index raw_messages_of_object on raw_messages (object_key, object_bytes) where object_key is not null",
    `create table object_removals (
      object_key ${text} primary key not null,
      stored_in ${text} not null
    ) ${strict}${clustered}`,
    // What is left to delete outside the database. Rows are removed in many places, including cascades.
    ...trigger({
      name: "raw_messages_removed",
      after: "delete on raw_messages",
      when: "old.object_key is not null",
      does: `insert into object_removals (object_key, stored_in)
        values (old.object_key, old.stored_in) on conflict do nothing`,
    }),
    `create table reports (
      test_id ${text} not null references tests (id) on delete cascade,
      created_at ${integer} not null,
      report ${bytes} not null,
      primary key (test_id, created_at)
    ) ${strict}`,
  ];
}

export function claimColumns({ text, integer }: Words): string {
  return `due_at ${integer}, claimed_by ${text}, claimed_until ${integer}, attempts ${integer} not null default 0`;
}

// How many messages each workspace received and keeps, by month and class. Kept by triggers, because rows of tests are
// added and removed in many places, including cascades, and a missed count would go unnoticed. Only received mail on SQLite
// is counted by the intake (features/intake/rows/intake.ts). Mail from the sample gallery counts as kept but never as received, so that
// no plan limits it.

export function testCountTables(words: Words): string[] {
  return words.dialect === "sqlite" ? sqliteCounts(words) : postgresCounts(words);
}

function sqliteCounts({ text, integer, strict, clustered }: Words): string[] {
  const month = (row: "old" | "new") => `strftime('%Y-%m', ${row}.received_at / 1000, 'unixepoch')`;
  const count = `insert into test_counts values (new.workspace_id, ${month("new")}, new.became, 1 - new.sample, 1)
      on conflict do update set received = received + 1 - new.sample, kept = kept + 1`;
  // Rows of a workspace that is being removed may be gone already. Then there is nothing to correct.
  const uncount = (columns: string) =>
    `update test_counts set ${columns}
      where workspace_id = old.workspace_id and month = ${month("old")} and became = old.became`;
  return [
    `create table test_counts (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      month ${text} not null,
      became ${text} not null,
      received ${integer} not null,
      kept ${integer} not null,
      primary key (workspace_id, month, became)
    ) ${strict}${clustered}`,
    `create trigger tests_recognised after update of became on tests when old.became <> new.became begin
      ${uncount("received = received - 1 + old.sample, kept = kept - 1")};
      ${count};
    end`,
    `create trigger tests_removed after delete on tests begin ${uncount("kept = kept - 1")}; end`,
  ];
}

/**
 * A transaction counts in any row of the month that isn't locked, and adds a row if all are. So no transaction waits
 * for another's count, and none can deadlock. There are never more rows than concurrent transactions.
 */
function postgresCounts({ text, integer }: Words): string[] {
  const month = "to_char(to_timestamp(received_at / 1000) at time zone 'UTC', 'YYYY-MM')";
  const countEach = (kept: string, received: string) =>
    `perform add_to_test_counts(workspace_id, month, became, ${received}, ${kept}) from (
        select workspace_id, ${month} as month, became, count(*) as messages, sum(sample)::bigint as samples
          from changed group by 1, 2, 3
      ) as months`;
  const onEach = (name: string, statement: string) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`,
  ];
  return [
    `create table test_counts (
      id ${integer} generated always as identity primary key,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      month ${text} not null,
      became ${text} not null,
      received ${integer} not null,
      kept ${integer} not null
    )`,
    "create index test_counts_of_workspace on test_counts (workspace_id, month, became)",
    `create function add_to_test_counts(of_workspace text, of_month text, of_became text, more_received bigint, more_kept bigint)
    returns void language plpgsql as $$
    declare
      free bigint;
    begin
      select id into free from test_counts
        where workspace_id = of_workspace and month = of_month and became = of_became
        limit 1 for update skip locked;
      if found then
        update test_counts set received = received + more_received, kept = kept + more_kept where id = free;
      else
        -- None for a workspace that is being removed.
        insert into test_counts (workspace_id, month, became, received, kept)
          select id, of_month, of_became, more_received, more_kept from workspaces where id = of_workspace;
      end if;
    end $$`,
    ...onEach("count_received_tests", countEach("messages", "messages - samples")),
    `create trigger tests_received after insert on tests referencing new table as changed
      for each statement execute function count_received_tests()`,
    ...onEach("count_removed_tests", countEach("-messages", "0")),
    `create trigger tests_removed after delete on tests referencing old table as changed
      for each statement execute function count_removed_tests()`,
    ...onEach(
      "count_recognised_tests",
      ["old", "new"]
        .map((row) => {
          const columns = `${row}.workspace_id, ${month.replace("received_at", `${row}.received_at`)}, ${row}.became`;
          const one = row === "old" ? -1 : 1;
          const received = `(${one} * (1 - ${row}.sample))::bigint`;
          return `perform add_to_test_counts(${columns}, ${received}, ${one})`;
        })
        .join("; "),
    ),
    `create trigger tests_recognised after update of became on tests for each row
      when (old.became <> new.became) execute function count_recognised_tests()`,
  ];
}

// The search index for lists of tests: trigrams of folded words, each prefixed with the workspace, so that a word that
// is common in another workspace costs nothing. Our own code makes the trigrams: PostgreSQL's pg_trgm is an extension
// that not every operator may create, and handles only ASCII in the locale "C"; SQLite's own trigrams don't know
// workspaces.

export function searchTables(words: Words): string[] {
  return words.dialect === "sqlite" ? sqliteSearch(words) : postgresSearch(words);
}

/**
 * A workspace's rows ascend with the IDs of its tests (platform/database/search/sqlite.ts), so that index order is newest first.
 */
function sqliteSearch({ text, integer, strict }: Words): string[] {
  return [
    `create table test_words (
      row ${integer} primary key not null,
      test_id ${text} not null unique references tests (id) on delete cascade,
      words ${text} not null
    ) ${strict}`,
    // Positions of trigrams aren't stored. That halves the index, and the words themselves give the position.
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
    // Its measured cost. Otherwise the planner would rather split all words again than use the index.
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
