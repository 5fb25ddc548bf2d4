import type { Words } from "../migration.ts";
import { claimColumns } from "./tests.ts";

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

/**
 * Who may do what, and with which secret. Secrets are stored only as hashes. Tokens and invitations that a member
 * created end with the membership. Null as creator means the server's operator.
 */
export function peopleTables({ text, integer, strict }: Words): string[] {
  return [
    `create table users (
      id ${text} primary key not null,
      email ${text} not null unique,
      name ${text} not null,
      password_hash ${text} not null,
      created_at ${integer} not null
    ) ${strict}`,
    `create table login_failures (
      account ${text} primary key not null,
      failures ${integer} not null,
      last_failed_at ${integer} not null
    ) ${strict}`,
    "create index login_failures_by_age on login_failures (last_failed_at)",
    `create table memberships (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      role ${text} not null,
      created_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${strict}`,
    "create index memberships_of_user on memberships (user_id)",
    `create table sessions (
      id ${text} primary key not null,
      user_id ${text} not null references users (id) on delete cascade,
      hash ${text} not null unique,
      created_at ${integer} not null,
      last_seen_at ${integer} not null,
      expires_at ${integer} not null,
      address ${text} not null,
      agent ${text} not null
    ) ${strict}`,
    "create index sessions_of_user on sessions (user_id, created_at)",
    "create index sessions_by_end on sessions (expires_at)",
    `create table password_resets (
      user_id ${text} primary key not null references users (id) on delete cascade,
      hash ${text} not null unique,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${strict}`,
    `create table invitations (
      id ${text} primary key not null,
      workspace_id ${text} references workspaces (id) on delete cascade,
      hash ${text} not null unique,
      email ${text},
      role ${text} not null,
      created_by ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index invitations_of_workspace on invitations (workspace_id, created_at)",
    `create table api_tokens (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      name ${text} not null,
      hash ${text} not null unique,
      created_by ${text},
      created_at ${integer} not null,
      last_used_at ${integer},
      expires_at ${integer},
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index api_tokens_of_workspace on api_tokens (workspace_id, created_at)",
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

/** A share ends when its creator leaves the workspace. One without a creator belongs to the operator. */
export function shareTables({ text, integer, strict }: Words): string[] {
  return [
    `create table shares (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null references tests (id) on delete cascade,
      hash ${text} not null unique,
      redact_body ${integer} not null,
      created_by ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index shares_of_test on shares (test_id, id)",
    "create index shares_of_member on shares (workspace_id, created_by)",
    "create index shares_ended on shares (expires_at)",
  ];
}
