import type { Migration } from "./migration.ts";

/**
 * What searches find and lists are sorted by, and deletions that can still be undone.
 *
 * The number of attachments is unknown for tests analyzed before: only the message itself tells. Received mail enters
 * no index more, because it has no score yet.
 */
export const searchAndUndo: Migration = {
  name: "0006-search-and-undo",
  reads: { table: "tests", microseconds: { sqlite: 3, postgres: 3 } },
  statements: ({ text, integer, strict }) => [
    `alter table tests add column attachments ${integer}`,
    "create index tests_by_score on tests (workspace_id, became, composite, id) where composite is not null",
    `create table removals (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      removal_id ${text} not null,
      due_at ${integer} not null
    ) ${strict}`,
    "create index removals_due on removals (due_at, test_id)",
    "create index removals_of_workspace on removals (workspace_id, removal_id)",
  ],
};
