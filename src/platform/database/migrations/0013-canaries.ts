import type { Migration } from "./migration.ts";

/** What canaries need besides 0012-monitors. */
export const canaries: Migration = {
  name: "0013-canaries",
  reads: { table: "sends", microseconds: { sqlite: 3, postgres: 3 } },
  statements: ({ text, integer }) => [
    `alter table monitors add column next_at ${integer}`,
    `alter table monitors add column failing ${integer} not null default 0`,
    `alter table monitors add column usual ${text}`,
    `alter table monitor_runs add column accepted_at ${integer}`,
    `alter table relays add column return_path ${text} not null default 'assay'`,
    `alter table sends add column monitor_id ${text}`,
    // Sends of canaries are many. Without it, the list of the others would walk over them.
    "create index sends_by_people on sends (workspace_id, id) where monitor_id is null",
    "create index sends_of_monitors on sends (id) where monitor_id is not null",
  ],
};
