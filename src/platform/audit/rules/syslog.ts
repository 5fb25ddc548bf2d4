// Entries of the audit log in the format of RFC 5424.

import { toVisible } from "../../../analyzer/visible-text.ts";
import { type AuditRow, toSentence } from "./entry.ts";

/** Facility 13 (log audit), and the severities informational and warning. */
const facility = 13;
const warning = 4;
const informational = 6;

/** RFC 5424 §6.1: receivers should take 2,048 bytes. Longer datagrams may be cut. */
const largestMessage = 2_000;
const longestValue = 200;

/** RFC 5424 §6: printable ASCII without spaces. */
const noHeaderCharacter = /[^\x21-\x7e]/g;
const needsBackslash = /["\\\]]/g;

/** `host`: our own name. */
export function toSyslog(row: AuditRow, hash: string, host: string): Buffer {
  const isWarning = row.outcome === "failed" || row.action === "login.failure";
  const priority = facility * 8 + (isWarning ? warning : informational);
  const time = new Date(row.at).toISOString();
  const header = `<${priority}>1 ${time} ${toHeader(host, 255)} assay - ${toHeader(row.action, 32)}`;
  // 32473 is the enterprise number for documentation (RFC 5612). Assay has no registered one.
  const fields = Object.entries(toFields(row, hash)).flatMap(([name, value]) =>
    value === null ? [] : [`${name}="${toParameter(String(value))}"`],
  );
  const data = `[assay@32473 ${fields.join(" ")}]`;
  return cut(Buffer.from(`${header} ${data} \u{feff}${toVisible(toSentence(row))}`));
}

/** RFC 6587 §3.4.1: with the length first, so that nothing in a message can look like the next one. */
export function toFramed(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

function toFields(row: AuditRow, hash: string): Readonly<Record<string, string | number | null>> {
  return {
    log: row.chain,
    number: row.seq,
    hash,
    actorType: row.actor_type,
    actorId: row.actor_id,
    actor: row.actor_name,
    email: row.actor_email,
    objectKind: row.object_kind,
    objectId: row.object_id,
    object: row.object_name,
    outcome: row.outcome,
    times: row.times,
    address: row.address,
  };
}

function toHeader(text: string, longest: number): string {
  return text.replace(noHeaderCharacter, "").slice(0, longest) || "-";
}

/** RFC 5424 §6.3.3. Line breaks would be allowed, but receivers write one line for each message. */
function toParameter(text: string): string {
  return toVisible(text)
    .slice(0, longestValue)
    .toWellFormed()
    .replace(needsBackslash, (character) => `\\${character}`);
}

/** Not inside a character. The values above are short enough that only the sentence is cut. */
function cut(message: Buffer): Buffer {
  let end = largestMessage;
  if (message.length <= end) return message;
  while (((message[end] ?? 0) & 0xc0) === 0x80) end--;
  return message.subarray(0, end);
}
