// The mark of a message that we sent ourselves: its send's id, signed. It stands in the return path, in Message-ID and
// in X-Assay-Id, so that whatever comes back of it names it; only who got it from us can show one that holds.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notice } from "./reports/mail-class.ts";
import { decodeWords } from "./text/decoding.ts";

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

type SendClaim = {
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

// A text that somebody wants in a header field of a message of ours → why it may not stand there. A line break would begin
// another field (header injection), and it need not come as one: an encoded word decodes to it at the receiver's, and
// %0d%0a does in what comes behind a careless program.

const control = /[\p{Cc}\u2028\u2029]/u;
const percentEncoded = /%(?:0[0ad]|c2%85|e2%80%a[89])/i;
/** As readers take them that ask for less than RFC 2047: with spaces inside, in whatever charset. */
const looseWord = /=\?[^?]*\?([bq])\?([^?]*)\?=/gi;
const breakInQ = /=0[0ad]/i;
/** An encoded word may stand in another one. */
const mostLayers = 3;

/** Completes `"subject" …`; null: it may. */
export function whyNoHeaderText(text: string): string | null {
  if (!text.isWellFormed()) return "must be well-formed Unicode";
  if (control.test(text)) return "must have no line breaks and no control characters";
  if (percentEncoded.test(text)) return "must have no encoded line breaks and no encoded NUL";
  return hidesControl(text) ? "must have no line breaks and no control characters in encoded words" : null;
}

function hidesControl(text: string): boolean {
  let before = text;
  for (let layer = 0; layer < mostLayers; layer++) {
    if (hasLooseBreak(before)) return true;
    const decoded = decodeWords(before);
    if (decoded === before) return false;
    if (control.test(decoded)) return true;
    before = decoded;
  }
  return true;
}

/** NUL, CR or LF among the bytes: a charset that we read otherwise may make a line break of them. */
function hasLooseBreak(text: string): boolean {
  return [...text.matchAll(looseWord)].some(([, encoding = "", encoded = ""]) =>
    encoding.toLowerCase() === "q"
      ? breakInQ.test(encoded)
      : Buffer.from(encoded, "base64").some((byte) => byte === 0 || byte === 10 || byte === 13),
  );
}

// What becomes of a sample that Assay sends.

/** relay: through ASSAY_SEND_SMTP_URL. loopback: straight to our own listener. */
export const sendTransports = ["relay", "loopback"] as const;
export type SendTransport = (typeof sendTransports)[number];

/** bounced: it was taken, and a bounce came back of it. */
export const sendStatuses = ["sending", "sent", "failed", "bounced"] as const;
export type SendStatus = (typeof sendStatuses)[number];
