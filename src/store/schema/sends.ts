// The tables of what Assay sends, and of its signing keys: rows of Schema.

import type { SendStatus, SendTransport } from "../../mail/send-token.ts";
import type { KeyAlgorithm } from "../../mail/signing/signing-algorithms.ts";

export type SendTables = {
  sends: SendsTable;
  signing_keys: SigningKeysTable;
};

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
