import type { Migration } from "./migration.ts";

/** Logins at an organization's issuer. A membership that ends by hand takes its grant with it. */
export const identities: Migration = {
  name: "0023-identities",
  statements: ({ text, integer, strict, clustered }) => [
    `create table identities (
      id ${text} primary key not null,
      user_id ${text} not null references users (id) on delete cascade,
      issuer ${text} not null,
      subject ${text} not null,
      email ${text},
      created_at ${integer} not null,
      last_login_at ${integer} not null,
      unique (issuer, subject)
    ) ${strict}`,
    "create index identities_of_user on identities (user_id, id)",
    `create table session_logins (
      id ${text} primary key not null references sessions (id) on delete cascade,
      identity_id ${text} not null references identities (id) on delete cascade,
      sid ${text},
      refresh_token ${text},
      id_token ${text},
      confirmed_at ${integer} not null,
      checked_at ${integer} not null
    ) ${strict}`,
    "create index session_logins_of_identity on session_logins (identity_id)",
    `create table granted_memberships (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      user_id ${text} not null,
      identity_id ${text} not null references identities (id) on delete cascade,
      primary key (workspace_id, user_id),
      foreign key (workspace_id, user_id) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}${clustered}`,
    "create index granted_memberships_of_identity on granted_memberships (identity_id)",
    `create table emergency_accounts (
      user_id ${text} primary key not null references users (id) on delete cascade,
      created_at ${integer} not null
    ) ${strict}`,
  ],
};
