import type { Words } from "../migration.ts";

/**
 * Mail to addresses that answer as a receiver would, or that probe the sender. A rehearsal begins with its first test.
 * The keys find the same message when it comes again.
 */
export function rehearsalTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table rehearsals (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      address ${text} not null,
      tag ${text} not null,
      sender ${text} not null,
      content_key ${text} not null,
      message_key ${text},
      body_key ${text} not null,
      subject_key ${text},
      expects ${text} not null,
      attempts ${integer} not null,
      last_at ${integer} not null
    ) ${strict}`,
    "create index rehearsals_by_address on rehearsals (workspace_id, address, last_at)",
    `create table rehearsal_attempts (
      rehearsal_id ${text} not null references rehearsals (test_id) on delete cascade,
      number ${integer} not null,
      workspace_id ${text} not null,
      test_id ${text},
      at ${integer} not null,
      detail ${text} not null,
      primary key (rehearsal_id, number)
    ) ${strict}${clustered}`,
    "create index rehearsal_attempts_of_test on rehearsal_attempts (test_id) where test_id is not null",
  ];
}
