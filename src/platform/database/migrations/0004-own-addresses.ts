import type { Migration } from "./migration.ts";

/** The addresses and domains that a workspace sends from, and when a blocklist listed them. */
export const ownAddresses: Migration = {
  name: "0004-own-addresses",
  statements: ({ text, integer, strict }) => [
    `create table own_addresses (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      value ${text} not null,
      kind ${text} not null,
      origin ${text} not null,
      created_at ${integer} not null,
      seen_at ${integer} not null,
      ignored ${integer} not null,
      due_at ${integer} not null,
      checked_at ${integer},
      unique (workspace_id, value)
    ) ${strict}`,
    "create index own_addresses_by_due on own_addresses (due_at) where ignored = 0",
    `create table address_listings (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      address_id ${text} not null references own_addresses (id) on delete cascade,
      zone ${text} not null,
      since ${integer} not null,
      seen_at ${integer} not null,
      until ${integer},
      misses ${integer} not null,
      class ${text} not null,
      code ${text} not null,
      meaning ${text} not null,
      says ${text}
    ) ${strict}`,
    "create index address_listings_by_address on address_listings (address_id, since)",
    "create index address_listings_by_workspace on address_listings (workspace_id)",
    "create unique index address_listings_open on address_listings (address_id, zone) where until is null",
  ],
};
