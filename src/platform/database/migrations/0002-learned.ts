import type { Migration } from "./migration.ts";

/** What a workspace learned from its own labeled mail, as JSON. */
export const learned: Migration = {
  name: "0002-learned",
  statements: ({ text }) => [`alter table workspaces add column learned ${text}`],
};
