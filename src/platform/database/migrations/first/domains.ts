import type { Words } from "../migration.ts";
import { claimColumns } from "./tests.ts";

export function domainTables(words: Words): string[] {
  const { text, integer, real, bytes, strict } = words;
  return [
    `create table domains (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      domain ${text} not null,
      dkim_selector ${text},
      created_at ${integer} not null,
      checked_at ${integer},
      spf ${text},
      dkim ${text},
      dmarc ${text},
      bimi ${text},
      score ${real},
      verified_at ${integer},
      last_drift_at ${integer},
      unstable ${integer} not null default 0,
      ${claimColumns(words)},
      unique (workspace_id, domain)
    ) ${strict}`,
    "create index domains_newest on domains (workspace_id, id, domain)",
    // Covers everything that a dashboard counts, without reading the rows.
    "create index domains_standing on domains (workspace_id, spf, dkim, dmarc, bimi, last_drift_at)",
    "create index domains_due on domains (due_at, id) where due_at is not null",
    // Separate from domains, so that claims and lists stay fast. Removed with the domain, which is removed with its
    // workspace, so no extra index has to be updated at each check.
    `create table domain_watches (
      domain_id ${text} primary key not null references domains (id) on delete cascade,
      workspace_id ${text} not null,
      checked_at ${integer} not null,
      guessed ${text},
      certificates ${text},
      watch ${text} not null,
      gist ${text} not null,
      reported_at ${integer} not null
    ) ${strict}`,
    // Separate from what each check writes, because it is large and rarely changes.
    `create table domain_reports (
      domain_id ${text} primary key not null references domains (id) on delete cascade,
      workspace_id ${text} not null,
      report ${bytes} not null
    ) ${strict}`,
    `create table domain_changes (
      id ${text} primary key not null,
      workspace_id ${text} not null,
      domain_id ${text} not null references domains (id) on delete cascade,
      at ${integer} not null,
      kind ${text} not null,
      changes ${text} not null
    ) ${strict}`,
    "create index domain_changes_newest on domain_changes (domain_id, id)",
    // No reference to the domain: removing a domain and adding it again must not reset the limit.
    `create table domain_rechecks (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      domain_id ${text} not null,
      at ${integer} not null,
      kind ${text} not null
    ) ${strict}`,
    "create index domain_rechecks_newest on domain_rechecks (workspace_id, kind, at)",
  ];
}

export function seenSenderTables({ text, integer, strict }: Words): string[] {
  return [
    `create table seen_senders (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      organization ${text} not null,
      kind ${text} not null,
      domain ${text} not null,
      value ${text} not null,
      fingerprint ${text} not null,
      unchanged_since ${integer} not null,
      first_seen_at ${integer} not null,
      last_seen_at ${integer} not null,
      messages ${integer} not null,
      primary key (workspace_id, organization, kind, domain, value)
    ) ${strict}`,
    "create index seen_senders_oldest on seen_senders (last_seen_at)",
  ];
}
