// The tables of streams: rows of Schema.

import type { ClaimColumns } from "../../platform/database/schema.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    streams: StreamsTable;
    stream_rules: StreamRulesTable;
  }
}

/** A series of similar messages. It is due when a changed score is to be split among its causes. */
export type StreamsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  /** The rule's ID, or the sender's domain with the label, or with the kind of mail. */
  match_key: string;
  /** Null if a rule made the stream. */
  from_domain: string | null;
  label: string | null;
  rule_id: string | null;
  /** Only for mail without a label. Null for all other streams, and if it is unknown. */
  kind: string | null;
  created_at: number;
  /** When its newest test arrived. */
  last_at: number;
  last_test_id: string | null;
  /** JSON of StreamState. */
  state: string | null;
  /** From the state. Null for fewer than three tests. */
  usual_score: number | null;
  /** The newest test whose score was unusual. */
  moved_test_id: string | null;
  moved_at: number | null;
  /** JSON of StreamMove. */
  move: string | null;
};

/** Which messages form a stream. The first rule that matches counts. */
export type StreamRulesTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** A pattern for the From address, in which * stands for anything. Null: any. */
  sender: string | null;
  /** A pattern for the label. Null: any. */
  label: string | null;
  created_at: number;
};
