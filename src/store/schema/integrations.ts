// The tables of connections to other services, and of what was seen in seed mailboxes: rows of Schema.

import type { IntegrationProvider, IntegrationStatus } from "../../integrations/integration.ts";
import type { Folder, Provider } from "../../placement/provider.ts";
import type { MatchedBy, ObservedFolder } from "../../reports/sighting.ts";
import type { ClaimColumns } from "./schema.ts";

export type IntegrationTables = {
  integrations: IntegrationsTable;
  mailbox_folders: MailboxFoldersTable;
  oauth_states: OauthStatesTable;
  token_refreshes: TokenRefreshesTable;
  observations: ObservationsTable;
  placement_shifts: PlacementShiftsTable;
};

/** A mailbox is watched by one process at a time (claims.ts): due while it is to be watched, null for what is no mailbox. */
export type IntegrationsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  provider: IntegrationProvider;
  /** The address of a mailbox, the name of a channel: what a person knows it by. */
  account: string;
  /** Of a seed mailbox: at which provider its observations count; null: only for itself (`imap:<account>`). */
  seed_provider: Provider | null;
  connected_at: number;
  /** Null once that person is gone. */
  connected_by: string | null;
  /** JSON list. */
  scopes: string;
  /** JSON of MailboxServer; null for what is no mailbox. */
  server: string | null;
  /** Sealed JSON: a password, or the tokens of OAuth. */
  secret: string;
  /** Of the access token. */
  expires_at: number | null;
  /** The webhook that connecting made (slack, discord). */
  alert_id: string | null;
  status: IntegrationStatus;
  /** For a person; null while all is well. */
  problem: string | null;
  status_since: number;
};

/** Where the watching of a folder goes on from after a restart. */
export type MailboxFoldersTable = {
  integration_id: string;
  workspace_id: string;
  /** As the server has it, decoded. */
  path: string;
  /** Decimal digits: beyond what a number holds exactly. */
  uid_validity: string;
  next_uid: number;
};

/** A consent that somebody was sent away for; taken once. */
export type OauthStatesTable = {
  /** SHA-256 in hex of what the state holds. */
  hash: string;
  workspace_id: string;
  user_id: string;
  provider: IntegrationProvider;
  /** Sealed JSON: the PKCE verifier, the nonce. */
  secret: string;
  created_at: number;
  expires_at: number;
};

/** A new access token that somebody is asking for: until then nobody else does. */
type TokenRefreshesTable = {
  integration_id: string;
  holder: string;
  held_until: number;
};

/** Where a seed mailbox has one test's message; a message that moves is told anew. */
export type ObservationsTable = {
  id: string;
  workspace_id: string;
  test_id: string;
  /** Its row may be gone: what was seen was seen. */
  integration_id: string;
  /** As in placement_results: a provider, or `imap:<account>`. */
  provider: string;
  account: string;
  folder: ObservedFolder;
  /** The folder's own name, or Gmail's category. */
  folder_name: string;
  /** When we saw it there first. */
  seen_at: number;
  /** Between our receipt of the test and the mailbox's; it may be below 0. */
  delay_ms: number | null;
  matched_by: MatchedBy;
  /** JSON of SightingEvidence: the receiver's own verdicts. */
  evidence: string;
  /** What was predicted of it when it was seen; null where nothing was. */
  predicted_folder: Folder | null;
  /** JSON of Prediction.odds; null where nothing was predicted. */
  predicted_odds: string | null;
  /** The version of the weights, and the shift that was in force. */
  weights: string | null;
};

/** A shift of the odds of spam that a person set for a provider in this workspace, from what was observed. */
export type PlacementShiftsTable = {
  workspace_id: string;
  provider: Provider;
  /** Natural log-odds of spam, added to the weights' sum. */
  shift: number;
  /** How many observations it was drawn from. */
  observations: number;
  set_at: number;
  set_by: string | null;
};

// The tables by which messages in seed mailboxes find their tests: rows of Schema.

export type SightingTables = {
  test_marks: TestMarksTable;
  waiting_sightings: WaitingSightingsTable;
  waiting_keys: WaitingKeysTable;
};

/** What names a test in its message: X-Assay-Id, and `assay-…` in the body. */
type TestMarksTable = {
  test_id: string;
  workspace_id: string;
  /** As mail/mime/assay-marks.ts reads it. */
  mark: string;
};

/** A sighting whose test has not come yet. */
type WaitingSightingsTable = {
  id: string;
  workspace_id: string;
  integration_id: string;
  kept_at: number;
  /** JSON of Sighting, bounded. */
  sighting: string;
};

/** By what a waiting sighting is found. */
type WaitingKeysTable = {
  sighting_id: string;
  workspace_id: string;
  /** As reports/match-sighting.ts makes it. */
  match_key: string;
};
