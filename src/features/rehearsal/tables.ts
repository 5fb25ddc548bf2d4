// The tables of rehearsals: rows of Schema.

import type { RehearsalTag } from "../../analyzer/mail/headers/rehearsal-address.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    rehearsals: RehearsalsTable;
    rehearsal_attempts: RehearsalAttemptsTable;
  }
}

export type RehearsalsTable = {
  /** The first test. The rehearsal is removed with it. */
  test_id: string;
  workspace_id: string;
  /** The recipient, in lower case. */
  address: string;
  tag: RehearsalTag;
  /** From the envelope, in lower case. */
  sender: string;
  /** Hashes of the first message. */
  content_key: string;
  message_key: string | null;
  body_key: string;
  subject_key: string | null;
  /**
   * What the sender should do. `again`: send it again. `nothing`: not send it again; if it does, that is noted. `done`:
   * the rehearsal is over, and the same message is a new test.
   */
  expects: "again" | "nothing" | "done";
  attempts: number;
  last_at: number;
};

type RehearsalAttemptsTable = {
  rehearsal_id: string;
  number: number;
  workspace_id: string;
  /** The test that has the message. Null for a connection without one. */
  test_id: string | null;
  at: number;
  /** JSON of Attempt. */
  detail: string;
};
