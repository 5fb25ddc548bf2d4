// The body as DKIM hashes it (RFC 6376 §3.4.3, §3.4.4), over the bytes as received: only CRLF ends a line, and a bare
// CR or LF is an ordinary byte. The cost is linear in the body and independent of the number of signatures: each form
// is computed and hashed once, and l= values copy the running hash where they end.

import { createHash } from "node:crypto";
import { type HeaderSection, readHeaderSection } from "../headers/fields.ts";

export type BodyCanonicalization = "simple" | "relaxed";

export type BodyHash = {
  /** Length of the canonical body. */
  readonly bytes: number;
  readonly whole: Buffer;
  /** The hash of the first bytes. Undefined past the end, and for a length that was not requested. */
  readonly upTo: (length: number) => Buffer | undefined;
};

const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;
const CRLF = Uint8Array.of(CR, LF);
const blockBytes = 65_536;

export function hashBody(
  body: Uint8Array,
  canonicalization: BodyCanonicalization,
  lengths: readonly number[] = [],
): BodyHash {
  const hash = createHash("sha256");
  const cuts = [...new Set(lengths)].sort((one, other) => one - other);
  const digests = new Map<number, Buffer>();
  let bytes = 0;
  let next = 0;
  for (const chunk of canonicalBody(body, canonicalization)) {
    let begin = 0;
    for (let cut = cuts[next]; cut !== undefined && cut <= bytes + chunk.length; cut = cuts[next]) {
      hash.update(chunk.subarray(begin, cut - bytes));
      begin = cut - bytes;
      digests.set(cut, hash.copy().digest());
      next += 1;
    }
    hash.update(chunk.subarray(begin));
    bytes += chunk.length;
  }
  const whole = hash.digest();
  return { bytes, whole, upTo: (length) => digests.get(length) ?? (length === bytes ? whole : undefined) };
}

/** In pieces. */
export function canonicalBody(body: Uint8Array, canonicalization: BodyCanonicalization): Generator<Uint8Array, void> {
  // Reading single bytes from a Buffer is several times slower.
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return canonicalization === "simple" ? simpleBody(bytes) : relaxedBody(bytes);
}

/** §3.4.3: empty lines at the end become one line end, which an empty body gets too. */
function* simpleBody(body: Uint8Array): Generator<Uint8Array, void> {
  let end = body.length;
  while (body[end - 1] === LF && body[end - 2] === CR) end -= 2;
  yield body.subarray(0, end);
  yield CRLF;
}

/** §3.4.4: no white space at line ends, one space for each run of it, no empty lines at the end. */
function* relaxedBody(body: Uint8Array): Generator<Uint8Array, void> {
  const content = body.subarray(0, endOfContent(body));
  if (content.length === 0) return;
  let at = 0;
  while (at < content.length) {
    const block = content.subarray(at, at + blockBytes);
    if (!isReducible(content.subarray(at, at + blockBytes + 2))) {
      yield block;
      at += block.length;
    } else {
      const [reduced, next] = reduceSpace(content, at, at + block.length);
      yield reduced;
      at = next;
    }
  }
  yield CRLF;
}

/** Whether there is anything to reduce. Usually there isn't, and a search is several times as fast as reading bytes. */
function isReducible(bytes: Uint8Array): boolean {
  if (bytes.indexOf(SPACE) < 0 && bytes.indexOf(TAB) < 0) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return /\t| (?: |\r\n)/.test(text);
}

/** Reduces up to `stop`, or to the end of the run of white space there, and returns that place. */
function reduceSpace(content: Uint8Array, begin: number, stop: number): [Uint8Array, number] {
  const reduced = new Uint8Array(stop - begin);
  let at = begin;
  let length = 0;
  while (at < stop) {
    const byte = content[at++] as number;
    if (byte > SPACE || !isWhite(byte)) {
      reduced[length++] = byte;
      continue;
    }
    while (isWhite(content[at])) at++;
    if (content[at] !== CR || content[at + 1] !== LF) reduced[length++] = SPACE;
  }
  return [reduced.subarray(0, length), at];
}

/** The offset after the last byte that is neither white space nor part of a line end. */
function endOfContent(body: Uint8Array): number {
  let end = body.length;
  while (end > 0) {
    if (isWhite(body[end - 1])) end -= 1;
    else if (body[end - 1] === LF && body[end - 2] === CR) end -= 2;
    else break;
  }
  return end;
}

function isWhite(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

// A message saved as a Unix file ends its lines with LF alone. That is a local form (RFC 6376 §5.3): the signed message
// had CRLF. A message with both isn't in a local form, and its bytes are used unchanged.

export type MessageBytes = { readonly raw: Uint8Array; readonly section: HeaderSection };

/** The message itself, unless its header section has no CRLF at all. */
export function fromLocalForm(message: MessageBytes): MessageBytes {
  const { raw, section } = message;
  const header = Buffer.from(raw.buffer, raw.byteOffset, section.bodyOffset);
  if (!header.includes(LF) || header.includes("\r\n")) return message;
  const wired = withCrlf(raw);
  return { raw: wired, section: readHeaderSection(wired) };
}

/** Adds a CR before each LF without one. */
export function withCrlf(text: Uint8Array): Uint8Array {
  // Reading single bytes from a Buffer is several times slower.
  const bytes = new Uint8Array(text.buffer, text.byteOffset, text.byteLength);
  let bare = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF && bytes[at - 1] !== CR) bare++;
  if (bare === 0) return text;
  const wired = new Uint8Array(bytes.length + bare);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) wired[length++] = CR;
    wired[length++] = bytes[at] as number;
  }
  return wired;
}
