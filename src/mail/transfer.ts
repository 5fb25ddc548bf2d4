// What a transfer encoding makes of a part's bytes, and whether they are what it allows (RFC 2045 §6): counted without
// decoding, because most of what is counted is never looked at.

import { isAscii } from "node:buffer";
import { type Encoding, isDecodable } from "./mime-tree.ts";
import { decodeTransfer, hexValue } from "./text-decoding.ts";

export type Transfer = {
  readonly decodedBytes: number;
  /** As transferred. */
  readonly eightBitBytes: number;
  readonly firstEightBit: number | null;
  /** Where data is that the encoding does not allow, from the beginning of the part's body. */
  readonly damagedAt: number | null;
};

const CR = 13;
const LF = 10;
const equals = 61;

export function inspectTransfer(body: Uint8Array, encoding: Encoding): Transfer {
  const eightBit = isAscii(body) ? { eightBitBytes: 0, firstEightBit: null } : countEightBit(body);
  const counted =
    encoding === "base64"
      ? inspectBase64(body)
      : encoding === "quoted-printable"
        ? inspectQuotedPrintable(body)
        : { decodedBytes: body.length, damagedAt: null };
  // Decoders part over damage: then what ours makes of it counts.
  const isSure = counted.damagedAt === null || !isDecodable(encoding);
  const decodedBytes = isSure ? counted.decodedBytes : decodeTransfer(body, encoding, body.length).length;
  return { ...eightBit, decodedBytes, damagedAt: counted.damagedAt };
}

function countEightBit(body: Uint8Array): Pick<Transfer, "eightBitBytes" | "firstEightBit"> {
  let eightBitBytes = 0;
  let firstEightBit: number | null = null;
  for (let at = 0; at < body.length; at++) {
    if ((body[at] ?? 0) < 128) continue;
    eightBitBytes++;
    firstEightBit ??= at;
  }
  return { eightBitBytes, firstEightBit };
}

type Counted = Pick<Transfer, "decodedBytes" | "damagedAt">;

const digit = 1;
const blank = 2;
const padding = 3;
const base64Kinds = new Uint8Array(256);
for (const byte of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
  base64Kinds[byte] = digit;
for (const byte of Buffer.from(" \t\r\n")) base64Kinds[byte] = blank;
base64Kinds[equals] = padding;

/** Four characters tell three bytes; nothing may follow the padding. */
function inspectBase64(body: Uint8Array): Counted {
  let digits = 0;
  let paddings = 0;
  for (let at = 0; at < body.length; at++) {
    const kind = base64Kinds[body[at] ?? 0];
    if (kind === digit && paddings === 0) digits++;
    else if (kind === padding && digits % 4 >= 2 && paddings < 2) paddings++;
    else if (kind !== blank) return { decodedBytes: 0, damagedAt: at };
  }
  return { decodedBytes: Math.floor((digits * 3) / 4), damagedAt: digits % 4 === 1 ? body.length : null };
}

function inspectQuotedPrintable(body: Uint8Array): Counted {
  let left = body.length;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
    if (hexValue(body[at + 1]) >= 0 && hexValue(body[at + 2]) >= 0) {
      left -= 2;
      at += 2;
      continue;
    }
    const end = endOfSoftBreak(body, at + 1);
    if (end < 0) return { decodedBytes: 0, damagedAt: at };
    left -= end - at;
    at = end - 1;
  }
  return { decodedBytes: left, damagedAt: null };
}

/** Transports add blanks at the end of a line (RFC 2045 §6.7, rule 3); -1: it is none. */
function endOfSoftBreak(body: Uint8Array, from: number): number {
  let at = from;
  while (body[at] === 32 || body[at] === 9) at++;
  if (at >= body.length || body[at] === LF) return Math.min(at + 1, body.length);
  return body[at] === CR && body[at + 1] === LF ? at + 2 : -1;
}
