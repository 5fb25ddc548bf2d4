import type { Words } from "../migration.ts";

/** Webhooks that email providers call. What they report becomes rows of `bounces` without a message. */
export function hookTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table incoming_hooks (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      provider ${text} not null,
      purpose ${text} not null,
      label ${text} not null,
      key_hash ${text} not null unique,
      signing_key ${text},
      password ${text},
      topic_arn ${text},
      domain ${text},
      created_at ${integer} not null,
      last_received_at ${integer},
      received ${integer} not null default 0,
      repeated ${integer} not null default 0,
      refused ${integer} not null default 0,
      last_problem ${text},
      last_problem_at ${integer}
    ) ${strict}`,
    "create index incoming_hooks_of_workspace on incoming_hooks (workspace_id, id)",
    `create table hook_events (
      hook_id ${text} not null references incoming_hooks (id) on delete cascade,
      event_key ${text} not null,
      seen_at ${integer} not null,
      primary key (hook_id, event_key)
    ) ${strict}${clustered}`,
    "create index hook_events_by_age on hook_events (seen_at)",
    `create table feedback_volumes (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      provider ${text} not null,
      domain ${text} not null,
      day ${integer} not null,
      delivered ${integer} not null,
      bounced ${integer} not null,
      complained ${integer} not null,
      primary key (workspace_id, provider, domain, day)
    ) ${strict}${clustered}`,
    "create index feedback_volumes_by_day on feedback_volumes (day)",
  ];
}
