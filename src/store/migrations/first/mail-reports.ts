import type { Words } from "../migration.ts";

/**
 * DMARC and TLS reports that came by mail, with what they count. Counts go with the message that they came in, like the
 * dashboard's sums, because ASSAY_RETENTION_DAYS is about all that mail told and every figure can be proved by a message
 * that is there. Nothing is lost by it: 90 days are shown, and by default 90 kept. The rows of a report lie together
 * behind its id, so that a thousand of them are written, read and removed as one run.
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
      row_count ${integer} not null
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
