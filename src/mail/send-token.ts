// The mark of a message that we sent ourselves: its send's id, signed. It stands in the return path, in Message-ID and
// in X-Assay-Id, so that whatever comes back of it names it; only who got it from us can show one that holds.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notice } from "./recognised.ts";

/** Case carries nothing: mail systems on the way may change that of a local part. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const form = /^([0-9a-z]{26})-([0-9a-z]{16})$/;
const returnPathPrefix = "bounce+";

export function toSendToken(sendId: string, key: Uint8Array): string {
  const bare = sendId.slice(sendId.indexOf("_") + 1);
  return `${bare}-${sign(bare, key)}`;
}

/** The send's id, or null for what we did not make. */
export function readSendToken(token: string, key: Uint8Array): string | null {
  const [, bare, mark] = form.exec(token.toLowerCase()) ?? [];
  if (bare === undefined || mark === undefined) return null;
  return timingSafeEqual(Buffer.from(mark), Buffer.from(sign(bare, key))) ? `snd_${bare}` : null;
}

/** Where bounces of the send come back to (VERP). */
export function toReturnPath(sendId: string, domain: string, key: Uint8Array): string {
  return `${returnPathPrefix}${toSendToken(sendId, key)}@${domain}`;
}

export function readReturnPath(address: string, key: Uint8Array): string | null {
  const localPart = address.slice(0, address.lastIndexOf("@")).toLowerCase();
  if (!localPart.startsWith(returnPathPrefix)) return null;
  return readSendToken(localPart.slice(returnPathPrefix.length), key);
}

/** Of a Message-ID without angle brackets. */
export function readMessageIdToken(messageId: string, key: Uint8Array): string | null {
  return readSendToken(messageId.slice(0, messageId.lastIndexOf("@")), key);
}

export type SendClaim = {
  /** Null for what is not about a send of ours. */
  readonly sendId: string | null;
  /** It came back to a return path of ours; what it quotes could have been copied from the message by anybody who got it. */
  readonly authenticated: boolean;
};

/** Which send a notice is about: by where it came to, else by what it quotes. */
export function findSend(
  recipients: readonly string[],
  { originalMessageId, originalAssayId }: Pick<Notice, "originalMessageId" | "originalAssayId">,
  key: Uint8Array,
): SendClaim {
  for (const recipient of recipients) {
    const sendId = readReturnPath(recipient, key);
    if (sendId !== null) return { sendId, authenticated: true };
  }
  const quoted =
    (originalAssayId === null ? null : readSendToken(originalAssayId, key)) ??
    (originalMessageId === null ? null : readMessageIdToken(originalMessageId, key));
  return { sendId: quoted, authenticated: false };
}

/** 80 bits. */
function sign(bare: string, key: Uint8Array): string {
  const digest = createHmac("sha256", key).update(bare).digest();
  return Array.from(digest.subarray(0, 16), (byte) => alphabet[byte & 31]).join("");
}
