import type { Migration } from "./migration.ts";

/** What an owner says of how much the workspace sends; null: nobody was asked yet. */
export const sendingVolume: Migration = {
  name: "0005-sending-volume",
  statements: ({ text }) => [`alter table workspaces add column sending_volume ${text}`],
};
