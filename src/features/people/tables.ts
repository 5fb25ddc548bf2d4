// The tables of people and logins: rows of Schema.

import type { VolumeAnswer } from "../../analyzer/checks/volume.ts";
import type { Role } from "../../platform/contract/roles.ts";
import type { TokenScope } from "../../platform/contract/token-scopes.ts";
import type { InvitationMailState } from "./rules/links.ts";
import type { RehearsalSetting } from "./rules/rehearsal-setting.ts";
import type { FactorKind } from "./rules/second-factors.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    workspaces: WorkspacesTable;
    users: UsersTable;
    login_failures: LoginFailuresTable;
    memberships: MembershipsTable;
    sessions: SessionsTable;
    second_factors: SecondFactorsTable;
    recovery_codes: RecoveryCodesTable;
    password_resets: PasswordResetsTable;
    invitations: InvitationsTable;
    api_tokens: ApiTokensTable;
    shares: SharesTable;
    workspace_origins: WorkspaceOriginsTable;
    identities: IdentitiesTable;
    session_logins: SessionLoginsTable;
    granted_memberships: GrantedMembershipsTable;
    emergency_accounts: EmergencyAccountsTable;
  }
}

export type UsersTable = {
  id: string;
  /** Lower case, its domain in A-labels, so that one mailbox has one account. */
  email: string;
  name: string;
  /** A PHC string. Empty: login by password is impossible until a reset link sets one. */
  password_hash: string;
  created_at: number;
};

/** Failed logins since the last success, for existing and unknown accounts. They delay the next try. */
type LoginFailuresTable = {
  /** SHA-256 of the email address in hex, because people type their passwords into that field. */
  account: string;
  failures: number;
  last_failed_at: number;
};

export type MembershipsTable = { workspace_id: string; user_id: string; role: Role; created_at: number };

/** A browser with a login. */
export type SessionsTable = {
  id: string;
  user_id: string;
  /** SHA-256 of the cookie's value, in hex. */
  hash: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** The client's address and user agent at login, so that people recognize their browsers. */
  address: string;
  agent: string;
  /** When the second factor was checked. Null: the user had none at login. */
  second_factor_at: number | null;
  /** Not null: the password was right, and the second factor is still missing. JSON (features/people/work/second-factors.ts). */
  pending: string | null;
};

/** An authenticator app or a passkey. */
export type SecondFactorsTable = {
  id: string;
  user_id: string;
  kind: FactorKind;
  name: string;
  created_at: number;
  /** Null: not set up completely, so it can't be used and isn't asked for. */
  confirmed_at: number | null;
  last_used_at: number | null;
  /** Sealed. Of an app. Null: it was lost with the server's secret key, so only another way to log in helps. */
  secret: string | null;
  /** An app: the step of the last code, so that no code works twice. */
  last_step: number | null;
  /** A passkey as JSON (features/people/work/passkeys.ts). While it is being added, the challenge. */
  passkey: string | null;
  /** The passkey's own ID. */
  credential_id: string | null;
};

/** Each works once. */
type RecoveryCodesTable = { user_id: string; hash: string };

/** A link for choosing a new password. A user has at most one, and it works once. */
export type PasswordResetsTable = { user_id: string; hash: string; created_at: number; expires_at: number };

/** A link for becoming a member. It works once. */
export type InvitationsTable = {
  id: string;
  /** Null: the setup link, whose user becomes the owner of the server's first workspace. */
  workspace_id: string | null;
  /** SHA-256 of the link's secret, in hex. */
  hash: string;
  /** Null in the setup link, whose user enters it. */
  email: string | null;
  role: Role;
  created_by: string | null;
  /** The token that created it, and ends it with itself. Null: a person or the operator did. */
  created_with: string | null;
  created_at: number;
  expires_at: number;
  /** Null: only the link was created. `sending` is written before the attempt. */
  mail_state: InvitationMailState | null;
  /** Why it wasn't sent, or why it bounced. */
  mail_problem: string | null;
  mailed_at: number | null;
};

export type ApiTokensTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the token in hex. The token itself is shown once and never stored. */
  hash: string;
  /** The user whose current role it has. Null: the server's operator, who counts as owner. */
  created_by: string | null;
  /** The token that created it, and ends it with itself. Null: a person or the operator did. */
  created_with: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  scope: TokenScope;
  /** The only label whose tests it reaches. Null: all tests. */
  label: string | null;
  /** The client's address at its last noted use. */
  last_used_address: string | null;
  /** The days before it expires of the last notice. Null: none was given. */
  noticed_days: number | null;
};

/** A link that shows a test's report to anyone who has it. */
export type SharesTable = {
  id: string;
  workspace_id: string;
  test_id: string;
  /** SHA-256 of the link's secret, in hex. */
  hash: string;
  /** 1: without content of the body. */
  redact_body: number;
  /** The member who created it. Null: the server's operator. */
  created_by: string | null;
  /** The token that created it, and ends it with itself. Null: a person or the operator did. */
  created_with: string | null;
  created_at: number;
  expires_at: number;
};

/** A workspace that was created from another, whose plan allowed it. Kept after the deletion for the rest of the month. */
type WorkspaceOriginsTable = { created_id: string; origin_id: string; created_at: number; removed_at: number | null };

export type WorkspacesTable = {
  id: string;
  name: string;
  plan: string;
  created_at: number;
  /** When an owner deleted it. Its contents are removed in small steps, and the row last. */
  removed_at: number | null;
  /** How much it sends to any one mailbox provider, according to an owner. Null: not asked yet. */
  sending_volume: VolumeAnswer;
  /** Whether its addresses answer as receivers would. Null: for clients on this machine or a private network. */
  rehearsal: RehearsalSetting;
  /** 1: people need a session with a second factor. */
  requires_second_factor: number;
  /** `Outgoing` as JSON: the server that passes its mail on to the internet. */
  outgoing: string | null;
  /** `Learned` as JSON: what its own labeled mail taught the placement prediction. */
  learned: string | null;
};

/** A person at an issuer, and their account here. */
export type IdentitiesTable = {
  id: string;
  user_id: string;
  /** The issuer's URL in one form. */
  issuer: string;
  /** Unique at the issuer, and never given to another person. */
  subject: string;
  /** What the issuer said last, for display. */
  email: string | null;
  created_at: number;
  last_login_at: number;
};

/** How a session began, if it was at an issuer. It has the session's ID. */
export type SessionLoginsTable = {
  id: string;
  identity_id: string;
  /** The issuer's ID of the login, which its logout tokens name. */
  sid: string | null;
  /** Sealed. Null: the issuer gave none. */
  refresh_token: string | null;
  /** Sealed. Tells the issuer whose login ends. */
  id_token: string | null;
  /** When the issuer last confirmed the login. */
  confirmed_at: number;
  /** When a process last began to ask, so that others don't. */
  checked_at: number;
};

/** Memberships that exist because of what an issuer said. They end with the membership. */
type GrantedMembershipsTable = { workspace_id: string; user_id: string; identity_id: string };

/** Accounts that may use their password even where only issuers log people in. */
type EmergencyAccountsTable = { user_id: string; created_at: number };
