// The tables of people, of what they log in with, and of what they pay: rows of Schema.

import type { Role } from "../../accounts/roles.ts";

export type PeopleTables = {
  users: UsersTable;
  login_failures: LoginFailuresTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  invitations: InvitationsTable;
  billing_accounts: BillingAccountsTable;
  billing_events: BillingEventsTable;
  api_tokens: ApiTokensTable;
};

export type UsersTable = {
  id: string;
  /** Lower case, its domain in A-labels: the same mailbox is one account. */
  email: string;
  name: string;
  /** As a PHC string; empty: no password opens the account until a reset link has given it one. */
  password_hash: string;
  created_at: number;
};

/** Tries since the last log-in, of accounts that exist and of those that do not: what makes the next one wait. */
type LoginFailuresTable = {
  /** SHA-256 in hex of the e-mail address: people type their passwords there. */
  account: string;
  failures: number;
  last_failed_at: number;
};

export type MembershipsTable = { workspace_id: string; user_id: string; role: Role; created_at: number };

/** A browser that somebody logged in with. */
export type SessionsTable = {
  id: string;
  user_id: string;
  /** SHA-256 in hex of what the cookie holds. */
  hash: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Of the client that logged in, and what it called itself, so that a person knows their browsers. */
  address: string;
  agent: string;
};

/** A link with which the user chooses a new password; a user has one at most, and it is gone once used. */
export type PasswordResetsTable = { user_id: string; hash: string; created_at: number; expires_at: number };

/** A link with which somebody becomes a member; it is gone once used. */
export type InvitationsTable = {
  id: string;
  /** Null: the set-up link, whose user becomes the owner of the server's first workspace. */
  workspace_id: string | null;
  /** SHA-256 in hex of what the link holds. */
  hash: string;
  /** Null in the set-up link: its user says it. */
  email: string | null;
  role: Role;
  created_by: string | null;
  created_at: number;
  expires_at: number;
};

/** What the payment provider knows of a workspace. */
export type BillingAccountsTable = {
  workspace_id: string;
  customer_id: string;
  subscription_id: string | null;
  /** In the provider's own word. */
  status: string | null;
  /** 1: it ends by itself, nothing more is charged. */
  ends: number;
  /** When the newest event that was obeyed came about: events arrive in any order. */
  event_at: number;
};

/** Events of the payment provider that were obeyed: it sends one until it is answered, and anybody may send it again. */
type BillingEventsTable = { id: string; obeyed_at: number };

export type ApiTokensTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the token in hex; the token itself is shown once and kept nowhere. */
  hash: string;
  /** The user in whose present role it acts; null: the server's operator, who is owner. */
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
};
