import type { Migration, Words } from "./migration.ts";

export const firstTables: Migration = {
  name: "0001-first-tables",
  statements: (words) => [...installation(words), ...access(words), ...tests(words), ...mail(words)],
};

function installation({ text, integer, strict }: Words): string[] {
  return [
    `create table meta (
      key ${text} primary key not null,
      value ${text} not null
    ) ${strict}`,
    `create table chores (
      id ${text} primary key not null,
      ${claimColumns(text, integer)},
      last_started_at ${integer},
      last_finished_at ${integer},
      last_error ${text}
    ) ${strict}`,
  ];
}

function access({ text, integer, strict }: Words): string[] {
  return [
    `create table workspaces (
      id ${text} primary key not null,
      name ${text} not null,
      plan ${text} not null,
      created_at ${integer} not null
    ) ${strict}`,
    `create table seed_inboxes (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      local_part ${text} not null,
      domain ${text} not null,
      label ${text},
      active ${integer} not null,
      created_at ${integer} not null,
      unique (domain, local_part)
    ) ${strict}`,
    "create index seed_inboxes_of_workspace on seed_inboxes (workspace_id, created_at)",
    "create unique index seed_inboxes_active on seed_inboxes (workspace_id) where active = 1",
    `create table released_addresses (
      domain ${text} not null,
      local_part ${text} not null,
      workspace_id ${text} not null,
      released_at ${integer} not null,
      primary key (domain, local_part)
    ) ${strict}`,
    `create table api_tokens (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      name ${text} not null,
      hash ${text} not null unique,
      created_by ${text},
      created_at ${integer} not null,
      last_used_at ${integer},
      expires_at ${integer}
    ) ${strict}`,
    "create index api_tokens_of_workspace on api_tokens (workspace_id, created_at)",
  ];
}

function tests({ text, integer, real, bytes, strict, clustered }: Words): string[] {
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
      subject ${text},
      recipients ${text} not null,
      message_id ${text},
      size_bytes ${integer} not null,
      spf ${text},
      dkim ${text},
      dmarc ${text},
      composite ${real},
      coverage ${real},
      inbox_rate ${real},
      spam_rate ${real},
      promo_rate ${real},
      kind ${text},
      kind_override ${text},
      body_key ${text},
      tries_alone ${integer} not null,
      failure ${text},
      ${claimColumns(text, integer)}
    ) ${strict}${clustered}`,
    "create index tests_newest on tests (workspace_id, became, id)",
    "create index tests_of_label on tests (workspace_id, label, became, id) where label is not null",
    "create index tests_of_message on tests (workspace_id, message_id, became, id) where message_id is not null",
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

/** What a received message was when it was no test. */
function mail({ text, integer, strict }: Words): string[] {
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
    "create index bounces_of_test on bounces (related_test_id) where related_test_id is not null",
    `create table mail_reports (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null unique references tests (id) on delete cascade,
      received_at ${integer} not null,
      type ${text} not null,
      organization ${text},
      report_id ${text},
      domain ${text},
      begins_at ${integer},
      ends_at ${integer},
      total ${integer},
      failed ${integer},
      problem ${text}
    ) ${strict}`,
    "create index mail_reports_newest on mail_reports (workspace_id, id)",
  ];
}

function claimColumns(text: string, integer: string): string {
  return `due_at ${integer}, claimed_by ${text}, claimed_until ${integer}, attempts ${integer} not null default 0`;
}
