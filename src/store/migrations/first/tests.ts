import type { Words } from "../migration.ts";
import { claimColumns } from "./claim-columns.ts";

export function testTables(words: Words): string[] {
  const { text, integer, real, bytes, strict, clustered } = words;
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
      ${claimColumns(words)}
    ) ${strict}${clustered}`,
    // With the score, because lists by score walk them.
    "create index tests_newest on tests (workspace_id, became, id, composite)",
    // Next to all are analysed: those are found on the way, the others here.
    "create index tests_unfinished on tests (workspace_id, status, became, id, composite) where status <> 'analyzed'",
    "create index tests_of_domain on tests (workspace_id, from_domain, became, id, composite) where from_domain is not null",
    "create index tests_of_label on tests (workspace_id, label, became, id, composite) where label is not null",
    "create index tests_of_message on tests (workspace_id, message_id, became, id) where message_id is not null",
    "create index tests_of_send on tests (send_id) where send_id is not null",
    "create index tests_of_laboratory on tests (workspace_id, label, id) where sample <> 0",
    "create index tests_due on tests (due_at, id) where due_at is not null",
    `create table raw_messages (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      encoding ${integer} not null,
      bytes ${bytes} not null,
      session ${text} not null
    ) ${strict}`,
    `create table reports (
      test_id ${text} not null references tests (id) on delete cascade,
      created_at ${integer} not null,
      report ${bytes} not null,
      primary key (test_id, created_at)
    ) ${strict}`,
  ];
}
