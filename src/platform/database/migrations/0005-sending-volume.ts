import type { Migration } from "./migration.ts";

/** How much the workspace sends, according to an owner. Null: not asked yet. */
export const sendingVolume: Migration = {
  name: "0005-sending-volume",
  statements: ({ text }) => [`alter table workspaces add column sending_volume ${text}`],
};
