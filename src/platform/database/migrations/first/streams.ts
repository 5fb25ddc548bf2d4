import type { Words } from "../migration.ts";

/** Which kind of mail the messages of a sender or a label are. */
export function kindRuleTables({ text, integer, strict }: Words): string[] {
  return [
    `create table kind_rules (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      matches ${text} not null,
      value ${text} not null,
      kind ${text} not null,
      created_at ${integer} not null,
      unique (workspace_id, matches, value)
    ) ${strict}`,
  ];
}

/** Series of similar messages: those of one label or rule, or of one domain and kind of mail. */
export function streamTables({ text, integer, strict }: Words): string[] {
  return [
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
      kind ${text},
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
  ];
}
