import type { Migration, Words } from "./migration.ts";

/**
 * Webhooks that email providers call. What they report becomes rows of `bounces` without a message, so `test_id` is no
 * longer required.
 */
export const incomingHooks: Migration = {
  name: "0016-incoming-hooks",
  reads: { table: "bounces", microseconds: { sqlite: 10, postgres: 3 } },
  statements: (words) => {
    const { text, integer, strict, clustered } = words;
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
      "create index sends_of_message on sends (workspace_id, message_id)",
      ...(words.dialect === "sqlite" ? rebuildBounces(words) : relaxBounces(words)),
      "create index bounces_of_webhooks on bounces (workspace_id, id) where test_id is null",
      "create index bounces_of_hook on bounces (hook_id) where hook_id is not null",
    ];
  },
};

function relaxBounces({ text }: Words): string[] {
  return [
    "alter table bounces alter column test_id drop not null",
    `alter table bounces add column hook_id ${text} references incoming_hooks (id) on delete set null`,
    `alter table bounces add column provider ${text}`,
  ];
}

const kept =
  "id, workspace_id, test_id, kind, received_at, authenticated, reporting_mta, recipients, feedback_type, source_ip, original_message_id, send_id, related_test_id";

/**
 * SQLite can't drop a constraint. Nothing refers to this table, and dropping it fires no trigger, so the dashboard's
 * sums stay as they are.
 */
function rebuildBounces({ text, integer, strict, trigger }: Words): string[] {
  const note = (row: "old" | "new", sign: 1 | -1) =>
    `insert into rollup_changes (workspace_id, received_at, sign, contribution)
        values (${row}.workspace_id, ${row}.received_at, ${sign}, '{"kind":"' || ${row}.kind || '"}')`;
  return [
    `create table bounces_new (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} unique references tests (id) on delete cascade,
      hook_id ${text} references incoming_hooks (id) on delete set null,
      provider ${text},
      kind ${text} not null,
      received_at ${integer} not null,
      authenticated ${integer} not null,
      reporting_mta ${text},
      recipients ${text} not null,
      feedback_type ${text},
      source_ip ${text},
      original_message_id ${text},
      send_id ${text},
      related_test_id ${text} references tests (id) on delete set null
    ) ${strict}`,
    `insert into bounces_new (${kept}) select ${kept} from bounces`,
    "drop table bounces",
    "alter table bounces_new rename to bounces",
    "create index bounces_newest on bounces (workspace_id, id)",
    "create index bounces_of_send on bounces (send_id) where send_id is not null",
    "create index bounces_of_test on bounces (related_test_id) where related_test_id is not null",
    ...trigger({ name: "bounce_came", after: "insert on bounces", does: note("new", 1) }),
    ...trigger({ name: "bounce_went", after: "delete on bounces", does: note("old", -1) }),
  ];
}
