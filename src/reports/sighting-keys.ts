// By what a message in a seed mailbox and a test are known to be one, in a form in which both sides are alike.

import { createHash } from "node:crypto";
import { parseMailboxes } from "../mail/address.ts";
import { toAsciiDomain } from "../mail/author-domain.ts";
import type { Sighting } from "./sighting.ts";

/** The first address that can be read, in lower case and A-labels. */
export function toFromAddress(from: string | null): string | null {
  const mailbox = parseMailboxes(from ?? "").list.find(({ problem }) => problem === null);
  if (!mailbox?.local || !mailbox.domain) return null;
  return `${mailbox.local}@${toAsciiDomain(mailbox.domain) ?? mailbox.domain}`.toLowerCase();
}

/** Lists keep no more of a subject that can be compared. */
const comparedLength = 500;

/** Null for one that tells nothing. */
export function toComparedSubject(subject: string | null): string | null {
  const compared = (subject ?? "").toWellFormed().replace(/\s+/g, " ").trim().slice(0, comparedLength);
  return compared === "" ? null : compared;
}

export type Matchable = {
  readonly marks: readonly string[];
  /** As store/message-ids.ts keeps it. */
  readonly messageId: string | null;
  /** An address, or a From header as a person reads it. */
  readonly from: string | null;
  readonly subject: string | null;
};

/** Both are one message only if they share a key. */
export function toMatchKeys({ marks, messageId, from, subject }: Matchable): string[] {
  const address = toFromAddress(from);
  const compared = toComparedSubject(subject);
  const keys = [
    ...marks.map((mark) => toKey("mark", mark)),
    ...(messageId ? [toKey("message-id", messageId)] : []),
    ...(address && compared ? [toKey("from-and-subject", `${address}\n${compared}`)] : []),
  ];
  return [...new Set(keys)];
}

export function marksOf({ assayIds, bodyTokens }: Pick<Sighting, "assayIds" | "bodyTokens">): string[] {
  return [...new Set([...assayIds, ...bodyTokens])];
}

const keyLength = 22;

function toKey(kind: string, text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("base64url").slice(0, keyLength);
}
