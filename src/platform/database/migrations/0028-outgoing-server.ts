import type { Migration } from "./migration.ts";

/** The server that passes the workspace's mail on to the internet, as JSON. Null: not set. */
export const outgoingServer: Migration = {
  name: "0028-outgoing-server",
  statements: ({ text }) => [`alter table workspaces add column outgoing ${text}`],
};
