// Decodes bytes to text for bounce recognition: transfer encodings, charsets and encoded words, each bounded and never
// throwing. The MIME parser isn't used, because a hostile message costs it seconds and recognition needs little of the
// message.

import { isAscii } from "node:buffer";

/** Limit for each text. A notice's own words come first. */
export const maxTextBytes = 262_144;

export function decodeTransfer(body: Uint8Array, encoding: string, maxBytes: number): Uint8Array {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (encoding === "base64") {
    // Four characters encode three bytes, and line ends make it a little longer.
    const text = buffer.subarray(0, Math.ceil(maxBytes * 1.5)).toString("latin1");
    return Buffer.from(text, "base64").subarray(0, maxBytes);
  }
  if (encoding === "quoted-printable") return decodeQuotedPrintable(buffer.subarray(0, maxBytes * 3), maxBytes);
  return buffer.subarray(0, maxBytes);
}

const equals = 61;

const fewBytes = 32;

/**
 * Searching a string is several times as fast as reading bytes. Decoded in place, because the result is never longer.
 */
function decodeQuotedPrintable(buffer: Buffer, maxBytes: number): Uint8Array {
  const bytes = new Uint8Array(buffer);
  const text = buffer.toString("latin1");
  let length = 0;
  for (let position = 0; position < bytes.length && length < maxBytes; ) {
    const found = bytes[position] === equals ? position : text.indexOf("=", position);
    const end = found < 0 ? bytes.length : found;
    moveDown(bytes, length, position, end);
    length += end - position;
    if (found < 0) break;
    position = end + 1;
    const softBreak = lengthOfSoftBreak(bytes, position);
    if (softBreak > 0) {
      position += softBreak;
      continue;
    }
    const value = (hexValue(bytes[position]) << 4) | hexValue(bytes[position + 1]);
    bytes[length++] = value < 0 ? equals : value;
    if (value >= 0) position += 2;
  }
  return bytes.subarray(0, Math.min(length, maxBytes));
}

function moveDown(bytes: Uint8Array, to: number, begin: number, end: number): void {
  if (end - begin > fewBytes) bytes.copyWithin(to, begin, end);
  else for (let at = begin; at < end; at++) bytes[to + at - begin] = bytes[at] ?? 0;
}

function lengthOfSoftBreak(bytes: Uint8Array, position: number): number {
  if (bytes[position] === 10) return 1;
  return bytes[position] === 13 && bytes[position + 1] === 10 ? 2 : 0;
}

const hexValues = new Int8Array(256).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries())
  for (const each of [digit, digit.toUpperCase()]) hexValues[each.charCodeAt(0)] = value;

/** The value of a hexadecimal digit, or -1. */
export function hexValue(byte: number | undefined): number {
  return byte === undefined ? -1 : (hexValues[byte] ?? -1);
}

/**
 * The named charset if it is known and the bytes fit it, else UTF-8 if they fit, else Windows-1252, which fits
 * everything.
 */
export function decodeCharset(bytes: Uint8Array, charset: string | null, isCut = bytes.length >= maxTextBytes): string {
  // Clients that don't know the charset declare "us-ascii". The escape sequences of Japanese mail also occur where no
  // charset can be declared.
  const named = charset === null || /^(?:us-)?ascii$/i.test(charset) ? "utf-8" : charset;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasEscapes = buffer.includes(`${escapeByte}$`);
  // Nearly all header fields are ASCII and need no decoder.
  if (!hasEscapes && /^utf-8$/i.test(named) && isAscii(buffer)) return buffer.toString("latin1");
  for (const label of [...(hasEscapes ? ["iso-2022-jp"] : []), named, "utf-8"]) {
    const whole = isCut ? trimCutCharacter(bytes) : bytes;
    const text = decodeWith(label, label === "iso-2022-jp" ? withoutIdleEscapes(whole) : whole);
    if (text !== null) return text;
  }
  return decodeWith("windows-1252", bytes) ?? "";
}

/**
 * Every encoded word ends in ASCII and the next one switches back, but the decoder refuses an escape sequence that
 * another one follows at once (WHATWG Encoding §12.2.1).
 */
function withoutIdleEscapes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(text.replace(idleEscape, ""), "latin1");
}

const escapeByte = "\u001b";
const shift = `${escapeByte}(?:\\([BIJ]|\\$[@B])`;
const idleEscape = new RegExp(`${shift}(?=${shift})`, "g");

function decodeWith(label: string, bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    // Some decoders turn 8-bit bytes in a 7-bit charset into replacement characters, despite `fatal`. UTF-8 may contain
    // them, if an earlier email client could not decode the text.
    return text.includes("\ufffd") && !/^utf-8$/i.test(label) ? null : text;
  } catch {
    return null;
  }
}

/** Removes a UTF-8 character that the limit cut in two, because it would invalidate the whole text. */
function trimCutCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

const encodedWord = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,2000})\?=/gi;

/**
 * RFC 2047. Neighboring words of one charset are joined before decoding, because characters may be split between them.
 */
export function decodeWords(value: string): string {
  if (!value.includes("=?")) return value;
  const joined = value.replace(/\?=\s{1,20}=\?/g, "?==?");
  let text = "";
  let pending: { charset: string; bytes: Uint8Array[] } | null = null;
  let last = 0;
  const flush = () => {
    if (pending) text += decodeCharset(Buffer.concat(pending.bytes), pending.charset);
    pending = null;
  };
  for (const match of joined.matchAll(encodedWord)) {
    const [whole, charset = "", encoding = "", content = ""] = match;
    const current: { charset: string; bytes: Uint8Array[] } | null = pending;
    if (match.index > last || current?.charset !== charset.toLowerCase()) flush();
    text += joined.slice(last, match.index);
    pending ??= { charset: charset.toLowerCase(), bytes: [] };
    pending.bytes.push(decodeWord(encoding, content));
    last = match.index + whole.length;
  }
  flush();
  return text + joined.slice(last);
}

function decodeWord(encoding: string, content: string): Uint8Array {
  return encoding.toLowerCase() === "b"
    ? Buffer.from(content, "base64")
    : decodeTransfer(Buffer.from(content.replaceAll("_", " "), "latin1"), "quoted-printable", 2_000);
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " ", apos: "'" };

/** Roughly the visible text of HTML: enough to find an address and a reply in it. */
export function htmlToText(html: string): string {
  return html
    .replace(/<(style|script|head)\b/gi, "\u0001<$1")
    .split("\u0001")
    .map((piece) => piece.replace(/^<(style|script|head)\b[\s\S]*?(<\/\1>|$)/i, ""))
    .join("")
    .replace(/<(?:br|p|div|tr|li|table|h\d|\/p|\/div|\/tr|\/td|\/li|\/h\d)\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0xffff)))
    .replace(/&([a-z]{2,4});/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}
