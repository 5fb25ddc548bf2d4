// The tables of what Assay sends itself, and of the keys that it signs that with: rows of Schema.

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
  /** As asked for, a display name included. */
  sender: string;
  recipient: string;
  /** Without angle brackets. */
  message_id: string;
  transport: SendTransport;
  status: SendStatus;
  /** Why it failed or bounced: the other side's words. */
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
  /** Base64, as the record has it in p=. */
  public_key: string;
  /** Sealed PKCS #8. */
  private_key: string;
  created_at: number;
};
