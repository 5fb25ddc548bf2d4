// The tables of connections to other services, and of what seed mailboxes showed: rows of Schema.

import type { Provider } from "../../analyzer/placement/provider.ts";
import type { ClaimColumns } from "../../platform/database/schema.ts";
import type { IntegrationStatus } from "../events/contract.ts";
import type { IntegrationProvider } from "./rules/list.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    integrations: IntegrationsTable;
    mailbox_folders: MailboxFoldersTable;
    mailbox_messages: MailboxMessagesTable;
    oauth_states: OauthStatesTable;
    token_refreshes: TokenRefreshesTable;
    placement_shifts: PlacementShiftsTable;
  }
}

/** One process at a time watches a mailbox (claims.ts). `due_at` is null for what isn't a mailbox or isn't watched. */
export type IntegrationsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  provider: IntegrationProvider;
  /** The address of a mailbox or the name of a channel, by which people recognize it. */
  account: string;
  /** The provider that a seed mailbox's observations count for. Null: only for itself (`imap:<account>`). */
  seed_provider: Provider | null;
  connected_at: number;
  /** Null once that person is gone. */
  connected_by: string | null;
  /** JSON list. */
  scopes: string;
  /** JSON of MailboxServer. Null for what isn't a mailbox. */
  server: string | null;
  /** Sealed JSON: a password, or the tokens of OAuth. */
  secret: string;
  /** Expiry of the access token. */
  expires_at: number | null;
  /** The webhook that connecting created (slack, discord). */
  alert_id: string | null;
  status: IntegrationStatus;
  /** A sentence for people. Null while all is well. */
  problem: string | null;
  status_since: number;
};

/** Where watching a folder continues after a restart. */
export type MailboxFoldersTable = {
  integration_id: string;
  workspace_id: string;
  /** As the server has it, decoded. */
  path: string;
  /** Decimal digits, because it exceeds the safe range of a number. */
  uid_validity: string;
  next_uid: number;
};

/** A message of a mailbox that became a test, or was about to. */
type MailboxMessagesTable = {
  integration_id: string;
  workspace_id: string;
  /** SHA-256 of its bytes, in base64url. */
  message_hash: string;
  seen_at: number;
};

/** A pending OAuth consent. It can be used once. */
export type OauthStatesTable = {
  /** SHA-256 of the state, in hex. */
  hash: string;
  workspace_id: string;
  /** Null: the operator's token began it. */
  user_id: string | null;
  /** The token that began it. Without that, nothing is connected. Null: a session began it. */
  created_with: string | null;
  provider: IntegrationProvider;
  /** Sealed JSON: the PKCE verifier, the nonce. */
  secret: string;
  created_at: number;
  expires_at: number;
};

/** A request for a new access token in progress, which keeps others from sending one too. */
type TokenRefreshesTable = { integration_id: string; holder: string; held_until: number };

/** A table of earlier versions. Nothing reads it. */
type PlacementShiftsTable = {
  workspace_id: string;
  provider: Provider;
  /** Natural log-odds of spam, added to the weights' sum. */
  shift: number;
  /** The number of observations it is based on. */
  observations: number;
  set_at: number;
  set_by: string | null;
};

// The tables by which messages in seed mailboxes find their tests: rows of Schema.

declare module "../../platform/database/schema.ts" {
  interface Schema {
    test_marks: TestMarksTable;
    waiting_sightings: WaitingSightingsTable;
    waiting_keys: WaitingKeysTable;
  }
}

/** A mark that identifies a test in its message: X-Assay-Id, and `assay-…` in the body. */
type TestMarksTable = {
  test_id: string;
  workspace_id: string;
  /** In the form of analyzer/mail/mime/assay-marks.ts. */
  mark: string;
};

/** A sighting whose test has not arrived yet. */
type WaitingSightingsTable = {
  id: string;
  workspace_id: string;
  integration_id: string;
  kept_at: number;
  /** JSON of Sighting, bounded. */
  sighting: string;
};

/** A key that a waiting sighting is found by. */
type WaitingKeysTable = {
  sighting_id: string;
  workspace_id: string;
  /** Created by analyzer/reports/match-sighting.ts. */
  match_key: string;
};
