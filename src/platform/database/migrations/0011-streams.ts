import type { Migration } from "./migration.ts";

/**
 * Series of similar messages. A test's stream and traits are unknown if it was analyzed before, so a stream begins with
 * the first test after the upgrade.
 */
export const streams: Migration = {
  name: "0011-streams",
  reads: { table: "tests", microseconds: { sqlite: 3, postgres: 2 } },
  statements: ({ text, integer, strict }) => [
    `alter table tests add column stream_id ${text}`,
    `alter table tests add column traits ${text}`,
    "create index tests_of_stream on tests (stream_id, id) where stream_id is not null",
    `create table streams (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      match_key ${text} not null,
      from_domain ${text},
      label ${text},
      rule_id ${text},
      created_at ${integer} not null,
      last_at ${integer} not null,
      last_test_id ${text},
      state ${text},
      usual_score ${integer},
      moved_test_id ${text},
      moved_at ${integer},
      move ${text},
      due_at ${integer},
      claimed_by ${text},
      claimed_until ${integer},
      attempts ${integer} not null default 0,
      unique (workspace_id, match_key)
    ) ${strict}`,
    `create table stream_rules (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      name ${text} not null,
      sender ${text},
      label ${text},
      created_at ${integer} not null
    ) ${strict}`,
    "create index stream_rules_of_workspace on stream_rules (workspace_id, id)",
    "create index streams_newest on streams (workspace_id, last_at, id)",
    "create index streams_moved on streams (workspace_id, moved_at, id) where moved_at is not null",
    "create index streams_due on streams (due_at, id) where due_at is not null",
  ],
};
