// The tables of rehearsals: rows of Schema.

import { z } from "zod";
import type { RehearsalTag } from "../../analyzer/mail/headers/rehearsal-address.ts";
import type { JsonColumns } from "../../platform/database/json-columns.ts";

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

const text = z.string().nullable();
const client = { at: z.number(), address: text, helo: text, tls: text };
const attempt = z.discriminatedUnion("kind", [
  z.object({
    ...client,
    kind: z.literal("message"),
    testId: z.string(),
    likeness: text,
    special: text,
    outcome: z.enum(["accepted", "deferred", "refused", "dropped"]),
    reply: z.object({ code: z.number(), lines: z.array(z.string()) }).nullable(),
    because: z.string(),
    waitedMs: z.number(),
    hungUp: z.boolean(),
    finding: text,
    doubt: z.string().optional(),
  }),
  z.object({ ...client, kind: z.literal("connection"), special: z.string(), reached: z.string() }),
]);

export const rehearsalJson: JsonColumns = { rehearsal_attempts: { detail: attempt } };
