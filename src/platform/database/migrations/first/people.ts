import type { Words } from "../migration.ts";

/**
 * Who may do what, and with which secret. Secrets are stored only as hashes. Tokens and invitations that a member
 * created end with the membership, and what was created with a token ends with the token. Null as creator means the
 * server's operator.
 */
export function peopleTables({ text, integer, strict }: Words): string[] {
  return [
    `create table users (
      id ${text} primary key not null,
      email ${text} not null unique,
      name ${text} not null,
      password_hash ${text} not null,
      created_at ${integer} not null
    ) ${strict}`,
    `create table login_failures (
      account ${text} primary key not null,
      failures ${integer} not null,
      last_failed_at ${integer} not null
    ) ${strict}`,
    "create index login_failures_by_age on login_failures (last_failed_at)",
    `create table memberships (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      role ${text} not null,
      created_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${strict}`,
    "create index memberships_of_user on memberships (user_id)",
    `create table sessions (
      id ${text} primary key not null,
      user_id ${text} not null references users (id) on delete cascade,
      hash ${text} not null unique,
      created_at ${integer} not null,
      last_seen_at ${integer} not null,
      expires_at ${integer} not null,
      address ${text} not null,
      agent ${text} not null,
      second_factor_at ${integer},
      pending ${text}
    ) ${strict}`,
    "create index sessions_of_user on sessions (user_id, created_at)",
    "create index sessions_by_end on sessions (expires_at)",
    `create table password_resets (
      user_id ${text} primary key not null references users (id) on delete cascade,
      hash ${text} not null unique,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${strict}`,
    `create table api_tokens (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      name ${text} not null,
      hash ${text} not null unique,
      created_by ${text},
      created_at ${integer} not null,
      last_used_at ${integer},
      expires_at ${integer},
      scope ${text} not null default 'admin',
      label ${text},
      last_used_address ${text},
      noticed_days ${integer},
      created_with ${text} references api_tokens (id) on delete cascade,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index api_tokens_of_workspace on api_tokens (workspace_id, created_at)",
    "create index api_tokens_of_token on api_tokens (created_with) where created_with is not null",
    `create table invitations (
      id ${text} primary key not null,
      workspace_id ${text} references workspaces (id) on delete cascade,
      hash ${text} not null unique,
      email ${text},
      role ${text} not null,
      created_by ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      mail_state ${text},
      mail_problem ${text},
      mailed_at ${integer},
      created_with ${text} references api_tokens (id) on delete cascade,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index invitations_of_workspace on invitations (workspace_id, created_at)",
    "create index invitations_of_token on invitations (created_with) where created_with is not null",
  ];
}

/** Logins at an organization's issuer. A membership that ends by hand takes its grant with it. */
export function identityTables({ text, integer, strict, clustered }: Words): string[] {
  return [
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
  ];
}

export function secondFactorTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table second_factors (
      id ${text} primary key not null,
      user_id ${text} not null references users (id) on delete cascade,
      kind ${text} not null,
      name ${text} not null,
      created_at ${integer} not null,
      confirmed_at ${integer},
      last_used_at ${integer},
      secret ${text},
      last_step ${integer},
      passkey ${text},
      credential_id ${text} unique
    ) ${strict}`,
    "create index second_factors_of_user on second_factors (user_id, id)",
    `create table recovery_codes (
      user_id ${text} not null references users (id) on delete cascade,
      hash ${text} not null,
      primary key (user_id, hash)
    ) ${strict}${clustered}`,
  ];
}

/** A share ends when its creator leaves the workspace. One without a creator belongs to the operator. */
export function shareTables({ text, integer, strict }: Words): string[] {
  return [
    `create table shares (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null references tests (id) on delete cascade,
      hash ${text} not null unique,
      redact_body ${integer} not null,
      created_by ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      created_with ${text} references api_tokens (id) on delete cascade,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index shares_of_test on shares (test_id, id)",
    "create index shares_of_member on shares (workspace_id, created_by)",
    "create index shares_ended on shares (expires_at)",
    "create index shares_of_token on shares (created_with) where created_with is not null",
  ];
}
