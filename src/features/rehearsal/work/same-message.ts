// Recognizes a message that comes again. A mail server's queue sends the same bytes. An app that tries again may build
// another one, with the same Message-ID or only the same content.

import { createHash } from "node:crypto";
import { readHeaderSection } from "../../../analyzer/mail/headers/fields.ts";
import { toProbe } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import type { Likeness } from "../rules/attempt.ts";
import type { RehearsalsTable } from "../tables.ts";

export type MessageKeys = Pick<RehearsalsTable, "content_key" | "message_key" | "body_key" | "subject_key" | "sender">;

/** Fields with these names are near the top. A message with more has other problems. */
const mostFields = 500;

export function toMessageKeys(raw: Uint8Array, mailFrom: string | null): MessageKeys {
  const section = readHeaderSection(raw, mostFields);
  const hashOf = (key: string) => {
    const value = section.fields
      .find((field) => field.key === key)
      ?.value.replace(/\s+/g, " ")
      .trim();
    return value ? hash(value) : null;
  };
  return {
    content_key: hash(raw),
    message_key: hashOf("message-id"),
    body_key: hash(raw.subarray(section.bodyOffset)),
    subject_key: hashOf("subject"),
    sender: (mailFrom ?? "").toLowerCase(),
  };
}

/** Shorter than the digest, because these only tell a few messages of one address apart. */
const keyLength = 32;

function hash(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, keyLength);
}

export type SameMessage = { readonly row: RehearsalsTable; readonly likeness: Likeness };

/**
 * `rows`: newest first. Content alone only counts for probes: after a receiver's reply, a message with the same content is
 * probably a corrected one, and a chosen reply is often tested with one content.
 */
export function findSame(rows: readonly RehearsalsTable[], keys: MessageKeys, now: number): SameMessage | undefined {
  for (const likeness of ["bytes", "message-id", "body", "subject"] as const) {
    const row = rows.find((candidate) => isAlike(candidate, { keys, now, likeness }));
    if (row !== undefined) return { row, likeness };
  }
  return undefined;
}

/** A sender that ignores a refusal does so soon. Later, someone may have started the same probe again. */
const repeatsSoonMs = 600_000;

type Comparison = { readonly keys: MessageKeys; readonly now: number; readonly likeness: Likeness };

function isAlike(row: RehearsalsTable, { keys, now, likeness }: Comparison): boolean {
  if (likeness === "bytes") return row.content_key === keys.content_key;
  if (likeness === "message-id") return row.message_key !== null && row.message_key === keys.message_key;
  if (toProbe(row.tag) === null || row.sender !== keys.sender) return false;
  const isAsked = row.expects === "again";
  if (likeness === "body") return row.body_key === keys.body_key && (isAsked || now - row.last_at < repeatsSoonMs);
  return isAsked && row.subject_key !== null && row.subject_key === keys.subject_key;
}
