// The tables as today's code sees them. Portable between SQLite and PostgreSQL: times are epoch milliseconds,
// booleans are 0 or 1, structured values are JSON text, and every order by has a tie breaker.

import type { Kysely } from "kysely";

/** What store functions take first: the reader, the aside reader, or a transaction. */
export type Db = Kysely<Schema>;

export type Schema = {
  migrations: MigrationsTable;
  meta: MetaTable;
  workspaces: WorkspacesTable;
  seed_inboxes: SeedInboxesTable;
  api_tokens: ApiTokensTable;
  tests: TestsTable;
  raw_messages: RawMessagesTable;
  reports: ReportsTable;
  chores: ChoresTable;
};

/** The checksum is of the statements as they were applied. */
export type MigrationsTable = { name: string; checksum: string; applied_at: number };

/** Facts about the installation: its id, the fingerprint of its secret key. */
export type MetaTable = { key: string; value: string };

export type WorkspacesTable = { id: string; name: string; plan: string; created_at: number };

export type SeedInboxesTable = {
  id: string;
  workspace_id: string;
  local_part: string;
  domain: string;
  label: string | null;
  active: number;
  created_at: number;
};

export type ApiTokensTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the token in hex; the token itself is shown once and kept nowhere. */
  hash: string;
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
};

/** Columns of rows that some process takes for a while, so that work is done once (claims.ts). */
export type ClaimColumns = {
  /** When the work may begin; null when there is none left. */
  due_at: number | null;
  claimed_by: string | null;
  claimed_until: number | null;
  /** Written before each try: a row that kills its process is known by it. */
  attempts: number;
};

export type TestStatus = "received" | "analyzing" | "analyzed" | "failed";

export type TestsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  seed_inbox_id: string | null;
  status: TestStatus;
  received_at: number;
  analyzed_at: number | null;
  label: string | null;
  /** Of the envelope; empty for the null reverse-path. */
  sender: string | null;
  /** As the message says it; null until analysed. */
  header_from: string | null;
  subject: string | null;
  /** JSON list of the envelope's recipients in this workspace. */
  recipients: string;
  size_bytes: number;
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** How often it was handed to the analyser with nothing beside it: written first, so that one which ends the program is known. */
  tries_alone: number;
  /** Why the status is failed. */
  failure: string | null;
};

/** Apart from tests, so that lists stay quick. */
export type RawMessagesTable = {
  test_id: string;
  /** 0 as it is, 1 zstd. */
  encoding: number;
  bytes: Uint8Array;
  /** JSON: the SMTP session as heard. */
  session: string;
};

/** The newest of a test is its report; earlier ones are what a reanalysis replaced. */
export type ReportsTable = { test_id: string; created_at: number; report: string };

/** Recurring work of the installation, done by one process at a time. */
export type ChoresTable = ClaimColumns & {
  id: string;
  last_started_at: number | null;
  last_finished_at: number | null;
  last_error: string | null;
};
