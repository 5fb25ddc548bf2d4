import type { Words } from "../migration.ts";

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
