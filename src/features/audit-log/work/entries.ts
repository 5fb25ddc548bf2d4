// Entries of the audit log as the API and the command line show them.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { toVisibleJson } from "../../../analyzer/visible-text.ts";
import { type AuditChain, readOnwards } from "../../../platform/audit/rows/log.ts";
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

type Span = { readonly since?: number | undefined; readonly until?: number | undefined };

const readAtOnce = 500;

/** The log in lines of JSON, without characters that a terminal would obey. `before`: runs before each page is read. */
export async function* exportLines(
  place: AuditChain,
  { since = 0, until = Infinity }: Span = {},
  before?: () => Promise<unknown>,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    await before?.();
    const rows = await readOnwards(place, after, readAtOnce);
    const last = rows.at(-1);
    if (last === undefined) return;
    const chosen = rows.filter(({ at }) => at >= since && at < until);
    if (chosen.length > 0) yield chosen.map(toExportLine).join("");
    after = last.seq;
  }
}

function toExportLine(row: AuditLogTable): string {
  return `${toVisibleJson({ log: row.chain, ...toAuditEntry(row) })}\n`;
}
