import type { Words } from "../migration.ts";
import { claimColumns } from "./tests.ts";

/**
 * The sending volume is null until an owner was asked. `outgoing` is the server that passes the workspace's mail on to the
 * internet, as JSON. Origins have no foreign key, because a deleted workspace counts until its month is over.
 */
export function workspaceTables({ text, integer, strict }: Words): string[] {
  return [
    `create table workspaces (
      id ${text} primary key not null,
      name ${text} not null,
      plan ${text} not null,
      created_at ${integer} not null,
      removed_at ${integer},
      sending_volume ${text},
      rehearsal ${text},
      requires_second_factor ${integer} not null default 0,
      outgoing ${text}
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
    `create table workspace_origins (
      created_id ${text} not null primary key,
      origin_id ${text} not null,
      created_at ${integer} not null,
      removed_at ${integer}
    ) ${strict}`,
    "create index workspace_origins_by_origin on workspace_origins (origin_id)",
  ];
}

export function billingTables({ text, integer, strict }: Words): string[] {
  return [
    `create table billing_accounts (
      workspace_id ${text} primary key not null references workspaces (id) on delete cascade,
      customer_id ${text} not null,
      subscription_id ${text},
      status ${text},
      ends ${integer} not null,
      event_at ${integer} not null
    ) ${strict}`,
    "create index billing_accounts_of_subscription on billing_accounts (subscription_id)",
    `create table billing_events (
      id ${text} primary key not null,
      obeyed_at ${integer} not null
    ) ${strict}`,
  ];
}

export function installationTables(words: Words): string[] {
  const { text, integer, strict } = words;
  return [
    `create table meta (
      key ${text} primary key not null,
      value ${text} not null
    ) ${strict}`,
    `create table chores (
      id ${text} primary key not null,
      ${claimColumns(words)},
      last_started_at ${integer},
      last_finished_at ${integer},
      last_error ${text}
    ) ${strict}`,
  ];
}
