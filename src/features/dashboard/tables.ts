// The tables of sums for the dashboard: rows of Schema.

import type { Generated } from "kysely";
import type { Numbers, Sign } from "../../analyzer/reports/sums.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    contributions: ContributionsTable;
    rollup_changes: RollupChangesTable;
    rollup_numbers: RollupNumbersTable;
    rollup_details: RollupDetailsTable;
  }
}

/** Changes that the sums below don't include yet. Triggers write them (migrations/first/rollups.ts). */
export type RollupChangesTable = {
  number: Generated<number>;
  workspace_id: string;
  /** Null for a bounce or a complaint. */
  test_id: string | null;
  received_at: number;
  sign: Sign;
  /** JSON of Contribution. */
  contribution: string;
};

/** Sums over the messages received in `span_ms` from `begins_at`. */
export type RollupNumbersTable = Numbers & { workspace_id: string; span_ms: number; begins_at: number };

/** For the same spans. */
export type RollupDetailsTable = {
  workspace_id: string;
  span_ms: number;
  begins_at: number;
  /** JSON of Details. */
  details: string;
};

/** What an analyzed test adds to its workspace's sums. Samples, failed tests and other mail have none. */
type ContributionsTable = {
  test_id: string;
  workspace_id: string;
  received_at: number;
  /** JSON of Contribution. */
  contribution: string;
};
