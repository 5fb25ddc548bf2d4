import type { Words } from "../migration.ts";

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
      finished_at ${integer}
    ) ${strict}`,
    "create index sends_newest on sends (workspace_id, id)",
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
