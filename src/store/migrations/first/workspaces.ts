import type { Words } from "../migration.ts";

export function workspaceTables({ text, integer, strict }: Words): string[] {
  return [
    `create table workspaces (
      id ${text} primary key not null,
      name ${text} not null,
      plan ${text} not null,
      created_at ${integer} not null,
      removed_at ${integer}
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
  ];
}
