import type { Words } from "../migration.ts";

/** Relays of a workspace, mail that is sent on a schedule and expected back, and mail that others must send. */
export function monitorTables({ text, integer, strict }: Words): string[] {
  return [
    `create table relays (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      name ${text} not null,
      url ${text} not null,
      url_shown ${text} not null,
      mail_from ${text} not null,
      created_at ${integer} not null,
      return_path ${text} not null default 'assay',
      unique (workspace_id, name)
    ) ${strict}`,
    `create table monitors (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      kind ${text} not null,
      name ${text} not null,
      relay_id ${text} references relays (id),
      terms ${text} not null,
      enabled ${integer} not null,
      state ${text} not null,
      state_since ${integer} not null,
      problem ${text},
      last_ok_at ${integer},
      maintenance ${text},
      badge_key ${text} unique,
      created_at ${integer} not null,
      due_at ${integer},
      claimed_by ${text},
      claimed_until ${integer},
      attempts ${integer} not null default 0,
      next_at ${integer},
      failing ${integer} not null default 0,
      usual ${text},
      badge_name ${text}
    ) ${strict}`,
    "create index monitors_of_workspace on monitors (workspace_id, id)",
    "create index monitors_due on monitors (due_at, id) where due_at is not null",
    "create index monitors_of_relay on monitors (relay_id) where relay_id is not null",
    `create table monitor_runs (
      id ${text} primary key not null,
      monitor_id ${text} not null references monitors (id) on delete cascade,
      workspace_id ${text} not null,
      began_at ${integer} not null,
      expected_by ${integer},
      ended_at ${integer},
      outcome ${text},
      delay_ms ${integer},
      test_id ${text},
      send_id ${text},
      detail ${text},
      accepted_at ${integer}
    ) ${strict}`,
    "create index monitor_runs_newest on monitor_runs (monitor_id, id)",
    "create index monitor_runs_open on monitor_runs (monitor_id, expected_by) where ended_at is null",
    "create index monitor_runs_of_test on monitor_runs (test_id) where test_id is not null",
    "create index monitor_runs_of_send on monitor_runs (send_id) where send_id is not null",
  ];
}
