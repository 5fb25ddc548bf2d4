import type { Migration } from "./migration.ts";

/** Alerts by email, and services that take their own JSON. */
export const alertMail: Migration = {
  name: "0007-alert-mail",
  statements: ({ text, integer, strict }) => [
    `alter table alerts add column preset ${text}`,
    `alter table alerts add column credentials ${text}`,
    `alter table alerts add column address_id ${text}`,
    `alter table alerts add column digest ${text}`,
    `alter table deliveries add column reply ${text}`,
    `create table alert_addresses (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      address ${text} not null,
      state ${text} not null,
      problem ${text},
      link_hash ${text},
      link_expires_at ${integer},
      asked_at ${integer},
      confirmed_at ${integer},
      created_at ${integer} not null,
      unique (workspace_id, address)
    ) ${strict}`,
    "create unique index alert_addresses_of_link on alert_addresses (link_hash) where link_hash is not null",
    // Of no workspace: it protects people from the requests of all workspaces together.
    `create table confirmation_mails (
      id ${text} primary key not null,
      mailbox ${text} not null,
      sent_at ${integer} not null
    ) ${strict}`,
    "create index confirmation_mails_of_mailbox on confirmation_mails (mailbox, sent_at)",
    "create index confirmation_mails_by_age on confirmation_mails (sent_at)",
  ],
};
