import type { Words } from "../migration.ts";

/** Requests to unsubscribe from the list of a test. */
export function unsubscribeTables({ text, integer, strict }: Words): string[] {
  return [
    `create table unsubscribes (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null references tests (id) on delete cascade,
      created_at ${integer} not null,
      created_by ${text},
      method ${text} not null,
      target ${text} not null,
      recipient ${text} not null,
      list_id ${text},
      from_domain ${text},
      finished_at ${integer},
      outcome ${text}
    ) ${strict}`,
    "create index unsubscribes_of_test on unsubscribes (test_id, id)",
    "create index unsubscribes_of_recipient on unsubscribes (workspace_id, recipient, id)",
    "create index unsubscribes_by_time on unsubscribes (workspace_id, created_at)",
  ];
}
