// The tables of monitors, their runs, and relays: rows of Schema.

import type { ClaimColumns } from "../../platform/database/schema.ts";
import type { MonitorOutcome } from "./rules/state.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    relays: RelaysTable;
    monitors: MonitorsTable;
    monitor_runs: MonitorRunsTable;
  }
}

/** A mail server that a workspace sends its canaries through. */
export type RelaysTable = {
  id: string;
  workspace_id: string;
  name: string;
  /** Sealed, because it may contain a password. */
  url: string;
  /** The URL without its password. */
  url_shown: string;
  /** The address that canaries come from. */
  mail_from: string;
  /** Where bounces go. assay: a signed address of this server, so that they are recognized. sender: to `mail_from`. */
  return_path: "assay" | "sender";
  created_at: number;
};

/** canary: mail that Assay sends and expects back. expected: mail that others must send. */
export type MonitorKind = "canary" | "expected";

/** new: nothing has happened yet. The claim is for its next step: to send, or to notice what is missing. */
export type MonitorsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  kind: MonitorKind;
  name: string;
  /** For canaries. */
  relay_id: string | null;
  /** JSON of what it sends or expects, and when. */
  terms: string;
  enabled: number;
  state: "new" | "up" | "down";
  state_since: number;
  /** JSON of why it is down. */
  problem: string | null;
  last_ok_at: number | null;
  /** For canaries: when the next one is sent. */
  next_at: number | null;
  /** How many runs failed since the last one that didn't. */
  failing: number;
  /** JSON of what good runs looked like (features/monitors/rules/state.ts). */
  usual: string | null;
  created_at: number;
};

export type MonitorRunsTable = {
  id: string;
  monitor_id: string;
  workspace_id: string;
  began_at: number;
  expected_by: number | null;
  /** Null while it is open. */
  ended_at: number | null;
  outcome: MonitorOutcome | null;
  delay_ms: number | null;
  test_id: string | null;
  send_id: string | null;
  /** When the relay accepted it. Null if it didn't, or that isn't known. */
  accepted_at: number | null;
  /** JSON of the evidence. */
  detail: string | null;
};
