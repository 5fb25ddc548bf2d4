// The tables as today's code sees them. Portable between SQLite and PostgreSQL: times are epoch milliseconds,
// booleans are 0 or 1, structured values are JSON text, and every order by has a tie breaker.

import type { Generated, Kysely } from "kysely";
import type { Kind } from "../../checks/kind.ts";
import type { KindMatch } from "../../checks/kind-rules.ts";
import type { VolumeAnswer } from "../../checks/volume.ts";
import type { Recognised } from "../../mail/reports/mail-class.ts";
import type { Numbers, Sign } from "../../reports/sums.ts";
import type { IntegrationTables, SightingTables } from "./integrations.ts";
import type { PeopleTables } from "./people.ts";
import type { MailReportTables } from "./reports.ts";
import type { SendTables } from "./sends.ts";
import type { WatchTables } from "./watch.ts";

/** What store functions take first: the reader, the aside reader, or a transaction. */
export type Db = Kysely<Schema>;

export type Schema = PeopleTables &
  MailReportTables &
  WatchTables &
  SendTables &
  IntegrationTables &
  SightingTables & {
    migrations: MigrationsTable;
    meta: MetaTable;
    workspaces: WorkspacesTable;
    seed_inboxes: SeedInboxesTable;
    released_addresses: ReleasedAddressesTable;
    tests: TestsTable;
    test_counts: TestCountsTable;
    test_words: TestWordsTable;
    raw_messages: RawMessagesTable;
    reports: ReportsTable;
    bounces: BouncesTable;
    shares: SharesTable;
    kind_rules: KindRulesTable;
    contributions: ContributionsTable;
    rollup_changes: RollupChangesTable;
    rollup_numbers: RollupNumbersTable;
    rollup_details: RollupDetailsTable;
    chores: ChoresTable;
  };

/** The checksum is of the statements as they were applied. */
type MigrationsTable = { name: string; checksum: string; applied_at: number };

/** Facts about the installation: its id, the fingerprint of its secret key. */
type MetaTable = { key: string; value: string };

export type WorkspacesTable = {
  id: string;
  name: string;
  plan: string;
  created_at: number;
  /** When an owner deleted it; what it holds goes in small steps, and the row last. */
  removed_at: number | null;
  /** How much it sends to any one mailbox provider, as an owner says; null: nobody was asked yet. */
  sending_volume: VolumeAnswer;
};

export type SeedInboxesTable = {
  id: string;
  workspace_id: string;
  local_part: string;
  domain: string;
  label: string | null;
  active: number;
  created_at: number;
};

/** Addresses of deleted seed inboxes, kept for the workspace that had them: mail for it may still come. */
export type ReleasedAddressesTable = {
  domain: string;
  local_part: string;
  workspace_id: string;
  released_at: number;
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

/** What a received message turned out to be; until that is known it counts as a test. */
export type Became = Recognised["kind"];

export type TestsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  /** Null where no inbox of its own took it. The inbox may be gone: an inbox is deleted without touching its million tests. */
  seed_inbox_id: string | null;
  became: Became;
  status: TestStatus;
  received_at: number;
  analyzed_at: number | null;
  label: string | null;
  /** Of the envelope; empty for the null reverse-path, null where it is not known. */
  sender: string | null;
  /** As the message says it; null until analysed. */
  header_from: string | null;
  /** Of the first address in it; in A-labels and lower case. */
  from_domain: string | null;
  subject: string | null;
  /** JSON list of the envelope's recipients in this workspace. */
  recipients: string;
  /** Without angle brackets, cut; null until analysed. Bounces name it. */
  message_id: string | null;
  size_bytes: number;
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** Null until analysed, and where nothing could be checked. */
  composite: number | null;
  coverage: number | null;
  /** Of the last analysis that checked enough, where one that did not has come since. */
  judged_composite: number | null;
  /** Shares of the providers that would put it, or have put it, there; they sum to 1. */
  inbox_rate: number | null;
  spam_rate: number | null;
  promo_rate: number | null;
  /** What kind of message it was taken for. */
  kind: Kind | null;
  /** What a person said it is. */
  kind_override: Kind | null;
  /** The same for messages with the same body. */
  body_key: string | null;
  /** How often it was handed to the analyser with nothing beside it: written first, so that one which ends the program is known. */
  tries_alone: number;
  /** Why the status is failed. */
  failure: string | null;
  /** The send of ours that it came of. */
  send_id: string | null;
  /** 1: of the laboratory, which figures leave out. */
  sample: number;
};

/**
 * Kept by triggers of the database and by the intake (intake/intake.ts). A month has a row for each kind of
 * message, on PostgreSQL several: their sum counts.
 */
type TestCountsTable = {
  workspace_id: string;
  /** Of received_at in UTC: "2026-11". */
  month: string;
  became: Became;
  /** Those removed since included. */
  received: number;
  kept: number;
};

/** What a test is searched by; the port search/ knows what stands beside it on each database. */
type TestWordsTable = {
  test_id: string;
  /** Folded, one space between each two. */
  words: string;
};

/** Apart from tests, so that lists stay quick. */
export type RawMessagesTable = {
  test_id: string;
  /** 0 as it is, 1 zstd. */
  encoding: number;
  bytes: Uint8Array;
  /** The SMTP session as heard, as mail/session/session-text.ts writes it. */
  session: string;
};

/** The newest of a test is its report; earlier ones are what a reanalysis replaced. */
type ReportsTable = { test_id: string; created_at: number; report: Uint8Array };

/** A bounce or a complaint. */
export type BouncesTable = {
  id: string;
  workspace_id: string;
  /** The message that it came in. */
  test_id: string;
  kind: "bounce" | "complaint";
  received_at: number;
  /** 1 when the return path's keyed token is ours. */
  authenticated: number;
  reporting_mta: string | null;
  /** JSON list of NoticeRecipient. */
  recipients: string;
  feedback_type: string | null;
  source_ip: string | null;
  original_message_id: string | null;
  send_id: string | null;
  /** The test whose message it is about. */
  related_test_id: string | null;
};

/** A link with which anybody may see a test's report. */
export type SharesTable = {
  id: string;
  workspace_id: string;
  test_id: string;
  /** SHA-256 in hex of what the link holds. */
  hash: string;
  /** 1: without what stands in the body. */
  redact_body: number;
  /** The member who made it; null: the server's operator. */
  created_by: string | null;
  created_at: number;
  expires_at: number;
};

/** Which kind of message a sender or a label stands for. */
export type KindRulesTable = {
  id: string;
  workspace_id: string;
  matches: KindMatch;
  value: string;
  kind: Kind;
  created_at: number;
};

/** What an analysed test adds to its workspace's sums; there is none for a sample, a failed test or what was no test. */
type ContributionsTable = {
  test_id: string;
  workspace_id: string;
  received_at: number;
  /** JSON of Contribution. */
  contribution: string;
};

/** What the sums below do not hold yet; triggers write it (migrations/first/tests.ts). */
export type RollupChangesTable = {
  number: Generated<number>;
  workspace_id: string;
  /** Null for a bounce or a complaint. */
  test_id: string | null;
  received_at: number;
  sign: Sign;
  /** JSON of Contribution. */
  contribution: string;
};

/** Sums over the messages received in `span_ms` from `begins_at`. */
export type RollupNumbersTable = Numbers & { workspace_id: string; span_ms: number; begins_at: number };

/** Of the same spans. */
export type RollupDetailsTable = {
  workspace_id: string;
  span_ms: number;
  begins_at: number;
  /** JSON of Details. */
  details: string;
};

/** Recurring work of the installation, done by one process at a time. */
export type ChoresTable = ClaimColumns & {
  id: string;
  last_started_at: number | null;
  last_finished_at: number | null;
  last_error: string | null;
};
