import type { Words } from "../migration.ts";

/** What a received message was when it was no test; reports stand apart (mail-reports.ts). */
export function mailTables({ text, integer, strict }: Words): string[] {
  return [
    `create table bounces (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null unique references tests (id) on delete cascade,
      kind ${text} not null,
      received_at ${integer} not null,
      authenticated ${integer} not null,
      reporting_mta ${text},
      recipients ${text} not null,
      feedback_type ${text},
      source_ip ${text},
      original_message_id ${text},
      send_id ${text},
      related_test_id ${text} references tests (id) on delete set null
    ) ${strict}`,
    "create index bounces_newest on bounces (workspace_id, id)",
    "create index bounces_of_send on bounces (send_id) where send_id is not null",
    "create index bounces_of_test on bounces (related_test_id) where related_test_id is not null",
  ];
}
