// The tables of the audit log: rows of Schema.

import type { AuditRow } from "../rules/entry.ts";

declare module "../../database/schema.ts" {
  interface Schema {
    audit_log: AuditLogTable;
    audit_heads: AuditHeadsTable;
    audit_failures: AuditFailuresTable;
  }
}

/** The chain of a workspace has its ID. */
export type AuditLogTable = { -readonly [Key in keyof AuditRow]: AuditRow[Key] } & { hash: string };

export type AuditHeadsTable = {
  chain: string;
  /** Number and hash of the last entry. */
  seq: number;
  hash: string;
  /** Number and hash of the last entry that was removed by age. 0 before the first removal. */
  trimmed_seq: number;
  trimmed_hash: string;
  /** Nothing reads it. Earlier versions sent entries to syslog, and noted how far. */
  sent_seq: number;
};

/** Failed logins that aren't in the log yet. An empty account stands for all that were too many. */
export type AuditFailuresTable = {
  /** The end of the minute in which they are counted. */
  over_at: number;
  account: string;
  address: string;
  times: number;
};
