import type { Migration } from "./migration.ts";

/** Which messages of a mailbox became tests, so that none becomes one twice. Stays when the test is deleted. */
export const mailboxMessages: Migration = {
  name: "0017-mailbox-messages",
  statements: ({ text, integer, strict }) => [
    `create table mailbox_messages (
      integration_id ${text} not null references integrations (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      message_hash ${text} not null,
      seen_at ${integer} not null,
      primary key (integration_id, message_hash)
    ) ${strict}`,
    "create index mailbox_messages_by_age on mailbox_messages (integration_id, seen_at)",
    "create index mailbox_messages_of_workspace on mailbox_messages (workspace_id)",
  ],
};
