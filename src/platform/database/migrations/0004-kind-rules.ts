import type { Migration } from "./migration.ts";

export const kindRules: Migration = {
  name: "0004-kind-rules",
  statements: ({ text, integer, strict }) => [
    `create table kind_rules (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      matches ${text} not null,
      value ${text} not null,
      kind ${text} not null,
      created_at ${integer} not null,
      unique (workspace_id, matches, value)
    ) ${strict}`,
  ],
};
