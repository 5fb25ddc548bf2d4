// The mark of a message that Assay sent: the ID of its send, signed. It is in the return path, in Message-ID and in
// X-Assay-Id, so that replies and bounces identify the send. Only a recipient of the message can present a valid one.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Notice } from "./reports/mail-class.ts";
import { decodeWords } from "./text/decoding.ts";

/** Case carries no information, because mail systems may change the case of a local part. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const form = /^([0-9a-z]{26})-([0-9a-z]{16})$/;
const returnPathPrefix = "bounce+";

export function toSendToken(sendId: string, key: Uint8Array): string {
  const bare = sendId.slice(sendId.indexOf("_") + 1);
  return `${bare}-${sign(bare, key)}`;
}

/** The ID of the send. Null for a token that we didn't create. */
export function readSendToken(token: string, key: Uint8Array): string | null {
  const [, bare, mark] = form.exec(token.toLowerCase()) ?? [];
  if (bare === undefined || mark === undefined) return null;
  return timingSafeEqual(Buffer.from(mark), Buffer.from(sign(bare, key))) ? `snd_${bare}` : null;
}

/** The address for bounces of the send (VERP). */
export function toReturnPath(sendId: string, domain: string, key: Uint8Array): string {
  return `${returnPathPrefix}${toSendToken(sendId, key)}@${domain}`;
}

export function readReturnPath(address: string, key: Uint8Array): string | null {
  const localPart = address.slice(0, address.lastIndexOf("@")).toLowerCase();
  if (!localPart.startsWith(returnPathPrefix)) return null;
  return readSendToken(localPart.slice(returnPathPrefix.length), key);
}

/** For a Message-ID without angle brackets. */
export function readMessageIdToken(messageId: string, key: Uint8Array): string | null {
  return readSendToken(messageId.slice(0, messageId.lastIndexOf("@")), key);
}

type SendClaim = {
  /** Null if it isn't about one of our sends. */
  readonly sendId: string | null;
  /**
   * It was sent to one of our return paths. Quoted content alone could have been copied from the message by any
   * recipient.
   */
  readonly authenticated: boolean;
};

/** Which send a notice is about: by the address that it was sent to, or else by what it quotes. */
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

// Why a text may not be used in a header field of our messages. A line break would begin another field (header
// injection), and it may come in disguise: an encoded word decodes to it at the receiver, and %0d%0a in careless
// software.

const control = /[\p{Cc}\u2028\u2029]/u;
const percentEncoded = /%(?:0[0ad]|c2%85|e2%80%a[89])/i;
/** As lenient parsers accept them: with spaces inside, in any charset. */
const looseWord = /=\?[^?]*\?([bq])\?([^?]*)\?=/gi;
const breakInQ = /=0[0ad]/i;
/** An encoded word may contain another one. */
const mostLayers = 3;

/** Completes `"subject" …`. Null if the text is allowed. */
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

/** NUL, CR or LF among the bytes: another charset could turn them into a line break. */
function hasLooseBreak(text: string): boolean {
  return [...text.matchAll(looseWord)].some(([, encoding = "", encoded = ""]) =>
    encoding.toLowerCase() === "q"
      ? breakInQ.test(encoded)
      : Buffer.from(encoded, "base64").some((byte) => byte === 0 || byte === 10 || byte === 13),
  );
}

// The possible outcomes of a sample that Assay sends.

/** relay: through ASSAY_SEND_SMTP_URL. loopback: straight to our own listener. */
export const sendTransports = ["relay", "loopback"] as const;
export type SendTransport = (typeof sendTransports)[number];

/** bounced: it was accepted, and a bounce arrived later. */
export const sendStatuses = ["sending", "sent", "failed", "bounced"] as const;
export type SendStatus = (typeof sendStatuses)[number];
