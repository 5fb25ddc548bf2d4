// The tables of logins at an organization's issuer: rows of Schema.

declare module "../../platform/database/schema.ts" {
  interface Schema {
    identities: IdentitiesTable;
    session_logins: SessionLoginsTable;
    granted_memberships: GrantedMembershipsTable;
    emergency_accounts: EmergencyAccountsTable;
  }
}

/** A person at an issuer, and their account here. */
export type IdentitiesTable = {
  id: string;
  user_id: string;
  /** The issuer's URL in one form (features/oidc/rules.ts). */
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
