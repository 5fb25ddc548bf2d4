// The tables of tests and what is known about them.

import type { Kind } from "../../analyzer/checks/kind.ts";
import type { KindMatch } from "../../analyzer/checks/kind-rules.ts";
import type { Recognised } from "../../analyzer/mail/reports/mail-class.ts";
import type { DoorKind } from "../../analyzer/mail/session/doors.ts";
import type { Folder } from "../../analyzer/placement/provider.ts";
import type { ExaminationKind, ExaminationState } from "../../analyzer/reports/examination.ts";
import type { MatchedBy, ObservedFolder } from "../../analyzer/reports/sighting.ts";
import type { ClaimColumns } from "../../platform/database/schema.ts";
import type { FeedbackProvider } from "../feedback/rules/providers.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    tests: TestsTable;
    test_counts: TestCountsTable;
    test_words: TestWordsTable;
    reports: ReportsTable;
    bounces: BouncesTable;
    kind_rules: KindRulesTable;
    removals: RemovalsTable;
    test_examinations: ExaminationsTable;
    dns_retries: DnsRetriesTable;
    observations: ObservationsTable;
  }
}

export type TestStatus = "received" | "analyzing" | "analyzed" | "failed";

/** What a received message is. It counts as a test until that is known. canary: sent by a monitor, in no list of tests. */
export type Became = Recognised["kind"] | "canary";

export type TestsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  /**
   * Null if it arrived through no inbox of this workspace. The inbox itself may be gone: deleting one doesn't touch its
   * tests, which may be a million.
   */
  seed_inbox_id: string | null;
  became: Became;
  status: TestStatus;
  received_at: number;
  analyzed_at: number | null;
  label: string | null;
  /** From the envelope. Empty for the null return path, null if unknown. */
  sender: string | null;
  /** As written in the message. Null until analyzed. */
  header_from: string | null;
  /** From the first address in it, in A-labels and lower case. */
  from_domain: string | null;
  subject: string | null;
  /** JSON list of the envelope's recipients in this workspace. */
  recipients: string;
  /** Without angle brackets, cut. Null until analyzed. Bounces refer to it. */
  message_id: string | null;
  size_bytes: number;
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** Null until analyzed, and if nothing could be checked. */
  composite: number | null;
  coverage: number | null;
  /** The score of the last analysis that checked enough, if a later one did not. */
  judged_composite: number | null;
  /** The shares of providers that would put it, or have put it, there. They sum to 1. */
  inbox_rate: number | null;
  spam_rate: number | null;
  promo_rate: number | null;
  /** The detected kind of message. */
  kind: Kind | null;
  /** The kind that a person set. */
  kind_override: Kind | null;
  /** Null until analyzed, and if an earlier version of Assay analyzed it. */
  attachments: number | null;
  /** Null until analyzed, if no scanner looked at all of it, and if an earlier version of Assay analyzed it. */
  malware: "found" | "suspicious" | "none" | null;
  /** Null until analyzed, and while it isn't filled in (rows/doors.ts). */
  door: DoorKind | null;
  /** Equal for messages with the same body. */
  body_key: string | null;
  /** How often it was analyzed alone. Written first, so that a message that ends the process is recognized. */
  tries_alone: number;
  /** Why the status is failed. */
  failure: string | null;
  /** Our send that it came from. */
  send_id: string | null;
  /** 1: from the sample gallery, which statistics leave out. */
  sample: number;
  /** Null until analyzed, and for samples and uploads. */
  stream_id: string | null;
  /** JSON of Traits. Null until analyzed. */
  traits: string | null;
};

/** What the analysis writes into the row. */
export const analyzedColumns = [
  "header_from",
  "from_domain",
  "subject",
  "message_id",
  "spf",
  "dkim",
  "dmarc",
  "composite",
  "coverage",
  "inbox_rate",
  "spam_rate",
  "promo_rate",
  "kind",
  "body_key",
  "attachments",
  "malware",
  "door",
  "traits",
] as const satisfies readonly (keyof TestsTable)[];
export type AnalyzedColumns = Pick<TestsTable, (typeof analyzedColumns)[number]>;

/** What lists show or a reanalysis needs: half of a row. */
export const listedColumns = [
  "id",
  "received_at",
  "analyzed_at",
  "status",
  "label",
  "recipients",
  "header_from",
  "subject",
  "composite",
  "coverage",
  "inbox_rate",
  "spam_rate",
  "promo_rate",
  "spf",
  "dkim",
  "dmarc",
  "kind",
  "kind_override",
  "malware",
  "size_bytes",
  "send_id",
  "seed_inbox_id",
  "sample",
  "failure",
] as const satisfies readonly (keyof TestsTable)[];

/**
 * Kept by triggers and by what inserts tests (features/tests/rows/insert-tests.ts). A month has a row for each class of message, on PostgreSQL
 * several, whose sum counts.
 */
type TestCountsTable = {
  workspace_id: string;
  /** Month of received_at in UTC: "2026-11". */
  month: string;
  became: Became;
  /** Includes those removed since. */
  received: number;
  kept: number;
};

/** The text that a test is searched by. The port search/ knows the index of each database. */
type TestWordsTable = {
  test_id: string;
  /** Folded, separated by single spaces. */
  words: string;
};

/** The newest of a test is its report. Earlier ones were replaced by a reanalysis. */
type ReportsTable = { test_id: string; created_at: number; report: Uint8Array };

/** What is worked out about a test when its report is opened (features/tests/rows/examinations.ts). */
export type ExaminationsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  test_id: string;
  kind: ExaminationKind;
  version: number;
  state: ExaminationState;
  /** JSON of the result, or the reason for the failure. */
  result: string | null;
  /** JSON list of the phases that a next try leaves out, because the message froze them. */
  frozen: string | null;
  examined_at: number | null;
};

/** A test whose DNS queries were not answered (features/tests/work/dns-retries.ts). */
export type DnsRetriesTable = {
  test_id: string;
  workspace_id: string;
  /** Null: it isn't looked at again. */
  due_at: number | null;
  tries: number;
  /** 1 if hardly any query was answered, so that the reason is our DNS. */
  was_dead: number;
  first_analyzed_at: number;
  /** The score of that report. */
  first_composite: number | null;
  /** When DNS answered and the report was updated. */
  updated_at: number | null;
};

/** A bounce or a complaint. */
export type BouncesTable = {
  id: string;
  workspace_id: string;
  /** The message that contained it. Null if a provider's webhook reported it. */
  test_id: string | null;
  /** The webhook that reported it. Null if it came by mail, or if the webhook was deleted. */
  hook_id: string | null;
  /** The provider whose webhook reported it. */
  provider: FeedbackProvider | null;
  kind: "bounce" | "complaint";
  received_at: number;
  /** 1 if the return path's signed token is ours, or if the webhook was signed. */
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

/** The kind of message that a workspace set for a sender or a label. */
export type KindRulesTable = {
  id: string;
  workspace_id: string;
  matches: KindMatch;
  value: string;
  kind: Kind;
  created_at: number;
};

/** Tests that a person deleted a moment ago. Lists leave them out. They are removed when due, or stay if that is undone. */
type RemovalsTable = {
  test_id: string;
  workspace_id: string;
  /** The same for all tests that were deleted together. */
  removal_id: string;
  due_at: number;
};

/** Where a seed mailbox has one test's message. A moved message overwrites it. */
export type ObservationsTable = {
  id: string;
  workspace_id: string;
  test_id: string;
  /** That row may be gone. The observation stays valid. */
  integration_id: string;
  /** As in placement_results: a provider, or `imap:<account>`. */
  provider: string;
  account: string;
  folder: ObservedFolder;
  /** The folder's own name, or Gmail's category. */
  folder_name: string;
  /** When we first saw it there. */
  seen_at: number;
  /** Time between our receipt of the test and the mailbox's. May be negative. */
  delay_ms: number | null;
  matched_by: MatchedBy;
  /** JSON of SightingEvidence: the receiver's own verdicts. */
  evidence: string;
  /** The prediction when it was seen. Null if there was none. */
  predicted_folder: Folder | null;
  /** JSON of Prediction.odds. Null if there was no prediction. */
  predicted_odds: string | null;
  /** The version of the weights. */
  weights: string | null;
};
