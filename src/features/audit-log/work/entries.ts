// Entries of the audit log as the API and the command line show them.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { toVisibleJson } from "../../../analyzer/visible-text.ts";
import type { AuditLogTable } from "../../../platform/audit/rows/tables.ts";
import { toSentence } from "../../../platform/audit/rules/entry.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import type { AuditEntry } from "../contract.ts";

export function toAuditEntry(row: AuditLogTable): AuditEntry {
  const { object_kind: kind, object_id: id, object_name: name } = row;
  return {
    number: row.seq,
    at: toTimestamp(row.at),
    action: row.action,
    summary: toSentence(row),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, email: row.actor_email },
    object: kind === null && id === null && name === null ? null : { kind, id, name },
    outcome: row.outcome,
    times: row.times,
    address: row.address,
    details: parseJsonObject(row.details) ?? {},
    hash: row.hash,
  };
}

/** One line of JSON, without characters that a terminal would obey. */
export function toExportLine(row: AuditLogTable): string {
  return `${toVisibleJson({ log: row.chain, ...toAuditEntry(row) })}\n`;
}
