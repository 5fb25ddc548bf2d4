import type { Words } from "../migration.ts";
import { claimColumns } from "./claim-columns.ts";

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
      failing_since ${integer}
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
    // They go with their webhook, and it with its workspace.
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
      ${claimColumns(words)}
    ) ${strict}`,
    "create index deliveries_newest on deliveries (alert_id, id)",
    "create index deliveries_of_event on deliveries (event_id)",
    "create index deliveries_waiting on deliveries (alert_id, due_at, id) where due_at is not null",
    "create index deliveries_due on deliveries (due_at, id) where due_at is not null",
  ];
}
