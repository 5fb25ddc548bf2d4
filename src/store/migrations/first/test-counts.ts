// How many messages each workspace received and keeps, by month and by what they became. Kept by triggers, because rows of
// tests come and go in many places, cascades among them, and one that forgot to count would never be noticed; later,
// what comes in was left to the intake on SQLite (0002-intake-counts.ts). What the laboratory sends is kept, and never
// received: no plan is to bound it.

import type { Words } from "../migration.ts";

export function testCountTables(words: Words): string[] {
  return words.dialect === "sqlite" ? sqliteCounts(words) : postgresCounts(words);
}

function sqliteCounts({ text, integer, strict, clustered }: Words): string[] {
  const month = (row: "old" | "new") => `strftime('%Y-%m', ${row}.received_at / 1000, 'unixepoch')`;
  const count = (row: "old" | "new") =>
    `insert into test_counts values (${row}.workspace_id, ${month(row)}, ${row}.became, 1 - ${row}.sample, 1)
      on conflict do update set received = received + 1 - ${row}.sample, kept = kept + 1`;
  // Rows of a workspace that is being removed may be gone already: then nothing is left to correct.
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
    `create trigger tests_received after insert on tests begin ${count("new")}; end`,
    `create trigger tests_recognised after update of became on tests when old.became <> new.became begin
      ${uncount("received = received - 1 + old.sample, kept = kept - 1")};
      ${count("new")};
    end`,
    `create trigger tests_removed after delete on tests begin ${uncount("kept = kept - 1")}; end`,
  ];
}

/**
 * Whoever counts takes any row of its month that nobody else holds, and adds one where all are held: so no transaction
 * waits for another's count, and none can deadlock over it. There are never more rows than transactions at once.
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
