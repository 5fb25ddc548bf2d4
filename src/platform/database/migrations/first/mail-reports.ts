import type { Words } from "../migration.ts";
import { bounceRollups } from "./rollups.ts";

/**
 * DMARC and TLS reports that arrived by mail, with their counts. Counts are removed with their message, like the
 * dashboard's sums: ASSAY_RETENTION_DAYS covers everything that mail contained, and every figure can be verified by a
 * stored message. Nothing is lost: the app shows 90 days, and by default 90 are kept. A report's rows are stored
 * together under its ID, so that a thousand of them are written, read and removed as one run.
 */
export function mailReportTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table mail_reports (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null unique references tests (id) on delete cascade,
      received_at ${integer} not null,
      type ${text} not null,
      organization ${text},
      report_id ${text},
      domain ${text},
      registrable_domain ${text},
      begins_at ${integer},
      ends_at ${integer},
      day ${integer},
      total ${integer},
      failed ${integer},
      problem ${text},
      policy ${text},
      counted_as ${text},
      row_count ${integer} not null,
      sender_domain ${text},
      sender_authenticated ${integer}
    ) ${strict}`,
    "create index mail_reports_newest on mail_reports (workspace_id, id)",
    "create index mail_reports_of_domain on mail_reports (workspace_id, registrable_domain, day)",
    "create unique index mail_reports_counted on mail_reports (workspace_id, counted_as)",
    `create table report_sources (
      report_id ${text} not null references mail_reports (id) on delete cascade,
      number ${integer} not null,
      source_ip ${text},
      header_from ${text},
      messages ${integer} not null,
      disposition ${text},
      dkim_aligned ${integer} not null,
      spf_aligned ${integer} not null,
      dkim ${text} not null,
      spf ${text} not null,
      reasons ${text} not null,
      primary key (report_id, number)
    ) ${strict}${clustered}`,
    `create table tls_policies (
      report_id ${text} not null references mail_reports (id) on delete cascade,
      number ${integer} not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      registrable_domain ${text},
      domain ${text},
      day ${integer} not null,
      type ${text},
      successful ${integer} not null,
      failed ${integer} not null,
      primary key (report_id, number)
    ) ${strict}${clustered}`,
    "create index tls_policies_of_domain on tls_policies (workspace_id, registrable_domain, day)",
    `create table tls_failures (
      report_id ${text} not null references mail_reports (id) on delete cascade,
      policy ${integer} not null,
      number ${integer} not null,
      result_type ${text},
      sending_ip ${text},
      mx_host ${text},
      receiving_ip ${text},
      reason_code ${text},
      sessions ${integer} not null,
      primary key (report_id, policy, number)
    ) ${strict}${clustered}`,
  ];
}

/** Bounces and complaints, from received messages or from webhooks, which have no message. */
export function mailTables(words: Words): string[] {
  const { text, integer, strict } = words;
  return [
    `create table bounces (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} unique references tests (id) on delete cascade,
      hook_id ${text} references incoming_hooks (id) on delete set null,
      provider ${text},
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
    "create index bounces_of_webhooks on bounces (workspace_id, id) where test_id is null",
    "create index bounces_of_hook on bounces (hook_id) where hook_id is not null",
    ...bounceRollups(words),
  ];
}

export function sendTables({ text, integer, strict }: Words): string[] {
  return [
    `create table sends (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      created_at ${integer} not null,
      label ${text},
      subject ${text} not null,
      sender ${text} not null,
      recipient ${text} not null,
      message_id ${text} not null,
      transport ${text} not null,
      status ${text} not null,
      problem ${text},
      finished_at ${integer},
      monitor_id ${text}
    ) ${strict}`,
    "create index sends_newest on sends (workspace_id, id)",
    // Sends of canaries are many. Without it, the list of the others would walk over them.
    "create index sends_by_people on sends (workspace_id, id) where monitor_id is null",
    "create index sends_of_monitors on sends (id) where monitor_id is not null",
    "create index sends_of_message on sends (workspace_id, message_id)",
    `create table signing_keys (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      domain ${text} not null,
      selector ${text} not null,
      algorithm ${text} not null,
      public_key ${text} not null,
      private_key ${text} not null,
      created_at ${integer} not null
    ) ${strict}`,
    "create unique index signing_keys_of_domain on signing_keys (workspace_id, domain, algorithm)",
  ];
}

/**
 * How messages in seed mailboxes find their tests. Few messages have a mark and few sightings wait, so an analysis
 * costs two lookups in small tables. Keys are short hashes: they fit any index and reveal nothing about mail that
 * wasn't a test's.
 */
export function sightingTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table test_marks (
      test_id ${text} not null references tests (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      mark ${text} not null,
      primary key (test_id, mark)
    ) ${strict}${clustered}`,
    "create index test_marks_by_mark on test_marks (workspace_id, mark, test_id)",
    `create table waiting_sightings (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      integration_id ${text} not null references integrations (id) on delete cascade,
      kept_at ${integer} not null,
      sighting ${text} not null
    ) ${strict}`,
    "create index waiting_sightings_of_mailbox on waiting_sightings (integration_id, kept_at, id)",
    "create index waiting_sightings_by_age on waiting_sightings (kept_at)",
    "create index waiting_sightings_of_workspace on waiting_sightings (workspace_id)",
    `create table waiting_keys (
      sighting_id ${text} not null references waiting_sightings (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      match_key ${text} not null,
      primary key (sighting_id, match_key)
    ) ${strict}${clustered}`,
    "create index waiting_keys_by_key on waiting_keys (workspace_id, match_key)",
  ];
}
