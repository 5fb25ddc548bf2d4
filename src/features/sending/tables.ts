// The tables of seed inboxes, of what Assay sends, of its signing keys, and of unsubscribe requests: rows of Schema.

import type { SendStatus, SendTransport } from "../../analyzer/mail/send-token.ts";
import type { KeyAlgorithm } from "../../analyzer/mail/signing/signing-algorithms.ts";
import type { UnsubscribeMethod } from "../../analyzer/reports/unsubscribe.ts";
import type { VisitLink } from "../../analyzer/reports/unsubscribe-visit.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    seed_inboxes: SeedInboxesTable;
    released_addresses: ReleasedAddressesTable;
    sends: SendsTable;
    signing_keys: SigningKeysTable;
    unsubscribes: UnsubscribesTable;
  }
}

export type SendsTable = {
  id: string;
  workspace_id: string;
  created_at: number;
  label: string | null;
  subject: string;
  /** As requested, including a display name. */
  sender: string;
  recipient: string;
  /** Without angle brackets. */
  message_id: string;
  transport: SendTransport;
  status: SendStatus;
  /** Why it failed or bounced, in the other server's words. */
  problem: string | null;
  finished_at: number | null;
  /** The canary that it belongs to. Lists of sends leave it out. */
  monitor_id: string | null;
};

export type SigningKeysTable = {
  id: string;
  workspace_id: string;
  /** In A-labels and lower case. */
  domain: string;
  selector: string;
  algorithm: KeyAlgorithm;
  /** Base64, as in p= of the record. */
  public_key: string;
  /** Sealed PKCS #8. */
  private_key: string;
  created_at: number;
};

/** A request to unsubscribe, or a visit to such a link. Written before it is made, and finished with its outcome. */
export type UnsubscribesTable = {
  id: string;
  workspace_id: string;
  test_id: string;
  created_at: number;
  /** Null for the server operator. */
  created_by: string | null;
  method: UnsubscribeMethod | `visit-${VisitLink}`;
  /** The URL, or the email address. */
  target: string;
  /** The address that was unsubscribed, in lower case. */
  recipient: string;
  /** The identifier in the List-Id header, in lower case. */
  list_id: string | null;
  from_domain: string | null;
  /** Null until finished: the process may have ended in between. */
  finished_at: number | null;
  /** The outcome as JSON. */
  outcome: string | null;
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

/** Addresses of deleted seed inboxes, reserved for their workspace, because mail for them may still arrive. */
export type ReleasedAddressesTable = { domain: string; local_part: string; workspace_id: string; released_at: number };
