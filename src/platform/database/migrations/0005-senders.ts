import type { Migration } from "./migration.ts";

/**
 * Who sends as a domain, by name: what each row of a DMARC report proves, reverse DNS that was looked up, and what people
 * say of a sender. The columns of rows from before are filled in the background.
 */
export const senders: Migration = {
  name: "0005-senders",
  reads: { table: "report_sources", microseconds: { sqlite: 4, postgres: 6 } },
  statements: ({ text, integer, strict }) => [
    `alter table report_sources add column proved_spf ${text}`,
    `alter table report_sources add column proved_dkim ${text}`,
    // Null: from before, and not looked at yet.
    `alter table report_sources add column forwarded ${integer}`,
    `create index report_sources_counts on report_sources (report_id, source_ip, proved_spf, proved_dkim, header_from,
      messages, dkim_aligned, spf_aligned, disposition, forwarded)`,
    "create index report_sources_unproved on report_sources (report_id) where forwarded is null",
    `create table reverse_names (
      address ${text} primary key not null,
      host ${text},
      asked_at ${integer},
      due_at ${integer} not null,
      seen_at ${integer} not null
    ) ${strict}`,
    "create index reverse_names_by_due on reverse_names (due_at)",
    `create table source_marks (
      domain_id ${text} not null references domains (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      key ${text} not null,
      mark ${text},
      note ${text} not null,
      updated_at ${integer} not null,
      primary key (domain_id, key)
    ) ${strict}`,
    "create index source_marks_by_workspace on source_marks (workspace_id)",
    `insert into source_marks (domain_id, workspace_id, key, mark, note, updated_at)
      select domain_id, workspace_id, subject,
        case max(resolution) when 'not-yours' then 'ignored' else 'approved' end, '', max(updated_at)
      from feedback_problems where kind = 'new-source' and resolution in ('not-yours', 'acknowledged')
      group by domain_id, workspace_id, subject`,
  ],
};
