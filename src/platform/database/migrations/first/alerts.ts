import type { Words } from "../migration.ts";
import { claimColumns } from "./tests.ts";

export function alertTables(words: Words): string[] {
  const { text, integer, real, strict } = words;
  return [
    `create table alerts (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      label ${text} not null,
      url ${text} not null,
      url_shown ${text} not null,
      kind ${text} not null,
      events ${text} not null,
      threshold_score ${real},
      enabled ${integer} not null,
      disabled_because ${text},
      secret ${text},
      created_at ${integer} not null,
      not_before ${integer},
      hour_began_at ${integer},
      hour_count ${integer} not null default 0,
      failing_since ${integer},
      preset ${text},
      credentials ${text},
      address_id ${text},
      digest ${text},
      quiet_hours ${text}
    ) ${strict}`,
    "create index alerts_newest on alerts (workspace_id, id)",
    `create table alert_events (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      type ${text} not null,
      created_at ${integer} not null,
      payload ${text} not null
    ) ${strict}`,
    "create index alert_events_of_workspace on alert_events (workspace_id, id)",
    // Removed with their webhook, which is removed with its workspace.
    `create table deliveries (
      id ${text} primary key not null,
      workspace_id ${text} not null,
      alert_id ${text} not null references alerts (id) on delete cascade,
      event_id ${text} not null references alert_events (id) on delete cascade,
      created_at ${integer} not null,
      status ${text} not null,
      tries ${integer} not null default 0,
      last_tried_at ${integer},
      delivered_at ${integer},
      http_status ${integer},
      problem ${text},
      duration_ms ${integer},
      told_with ${text},
      ${claimColumns(words)},
      reply ${text}
    ) ${strict}`,
    "create index deliveries_newest on deliveries (alert_id, id)",
    "create index deliveries_of_event on deliveries (event_id)",
    "create index deliveries_waiting on deliveries (alert_id, due_at, id) where due_at is not null",
    "create index deliveries_due on deliveries (due_at, id) where due_at is not null",
    `create table alert_addresses (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      address ${text} not null,
      state ${text} not null,
      problem ${text},
      link_hash ${text},
      link_expires_at ${integer},
      asked_at ${integer},
      confirmed_at ${integer},
      created_at ${integer} not null,
      unique (workspace_id, address)
    ) ${strict}`,
    "create unique index alert_addresses_of_link on alert_addresses (link_hash) where link_hash is not null",
    // Of no workspace: it protects people from the requests of all workspaces together.
    `create table confirmation_mails (
      id ${text} primary key not null,
      mailbox ${text} not null,
      sent_at ${integer} not null
    ) ${strict}`,
    "create index confirmation_mails_of_mailbox on confirmation_mails (mailbox, sent_at)",
    "create index confirmation_mails_by_age on confirmation_mails (sent_at)",
  ];
}

export function integrationTables(words: Words): string[] {
  const { text, integer, real, strict } = words;
  return [
    `create table integrations (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      provider ${text} not null,
      account ${text} not null,
      seed_provider ${text},
      connected_at ${integer} not null,
      connected_by ${text} references users (id) on delete set null,
      scopes ${text} not null,
      server ${text},
      secret ${text} not null,
      expires_at ${integer},
      alert_id ${text},
      status ${text} not null,
      problem ${text},
      status_since ${integer} not null,
      ${claimColumns(words)}
    ) ${strict}`,
    "create index integrations_newest on integrations (workspace_id, id)",
    "create index integrations_due on integrations (due_at, id) where due_at is not null",
    `create table mailbox_folders (
      integration_id ${text} not null references integrations (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      path ${text} not null,
      uid_validity ${text} not null,
      next_uid ${integer} not null,
      primary key (integration_id, path)
    ) ${strict}`,
    // Which messages of a mailbox became tests, so that none becomes one twice. Stays when the test is deleted.
    `create table mailbox_messages (
      integration_id ${text} not null references integrations (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      message_hash ${text} not null,
      seen_at ${integer} not null,
      primary key (integration_id, message_hash)
    ) ${strict}`,
    "create index mailbox_messages_by_age on mailbox_messages (integration_id, seen_at)",
    "create index mailbox_messages_of_workspace on mailbox_messages (workspace_id)",
    // A pending consent ends with the token that began it, and may have no user: the operator's tokens have none.
    `create table oauth_states (
      hash ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      user_id ${text} references users (id) on delete cascade,
      created_with ${text} references api_tokens (id) on delete cascade,
      provider ${text} not null,
      secret ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${strict}`,
    `create table token_refreshes (
      integration_id ${text} primary key not null references integrations (id) on delete cascade,
      holder ${text} not null,
      held_until ${integer} not null
    ) ${strict}`,
    `create table observations (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null references tests (id) on delete cascade,
      integration_id ${text} not null,
      provider ${text} not null,
      account ${text} not null,
      folder ${text} not null,
      folder_name ${text} not null,
      seen_at ${integer} not null,
      delay_ms ${integer},
      matched_by ${text} not null,
      evidence ${text} not null,
      predicted_folder ${text},
      predicted_odds ${text},
      weights ${text}
    ) ${strict}`,
    "create unique index observations_of_test on observations (test_id, integration_id)",
    "create index observations_of_provider on observations (workspace_id, provider, seen_at)",
    `create table placement_shifts (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      provider ${text} not null,
      shift ${real} not null,
      observations ${integer} not null,
      set_at ${integer} not null,
      set_by ${text},
      primary key (workspace_id, provider)
    ) ${strict}`,
  ];
}
