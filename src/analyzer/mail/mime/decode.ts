// The parts of a message with their decoded sizes and contents. Both the facts about the message and its problems come
// from this one reading.

import { isAscii } from "node:buffer";
import { decodedText } from "../headers/encoded-words.ts";
import { parameterOf, parseParameters } from "../headers/parameters.ts";
import { mimeBounds, toStorableCut } from "../text/bounds.ts";
import { readCharset } from "../text/charsets.ts";
import { decodeTransfer, hexValue } from "../text/decoding.ts";
import type { FileName, MessagePart } from "./message.ts";
import { type Encoding, type Entity, encodingOf, isDecodable, type MimeTree, readTree } from "./tree.ts";

export type Leaf = {
  readonly entity: Entity;
  readonly part: MessagePart;
  readonly transfer: Transfer;
  /** The decoded bytes of a text that isn't an attachment, up to the limit. Null for everything else. */
  readonly content: Uint8Array | null;
};

export type Mime = {
  readonly raw: Uint8Array;
  readonly tree: MimeTree;
  readonly root: MessagePart;
  /** All parts without parts of their own. Embedded messages count whole; their contents aren't examined. */
  readonly leaves: readonly Leaf[];
};

const longestShown = 1_000;

export function readMime(raw: Uint8Array, tree: MimeTree = readTree(raw)): Mime {
  const leaves: Leaf[] = [];
  const root = toPart(raw, tree.root, leaves);
  return { raw, tree, root, leaves };
}

/** Not bounded: short lines can make a few bytes' encoded form any length. */
export function contentOf(raw: Uint8Array, part: MessagePart): Uint8Array {
  return decodeTransfer(raw.subarray(part.bodyOffset, part.end), part.encoding, part.encodedBytes);
}

/** `leaves` is null inside an embedded message, whose bytes already count as its own. */
function toPart(raw: Uint8Array, entity: Entity, leaves: Leaf[] | null): MessagePart {
  const isContainer = entity.type.startsWith("multipart/");
  const encoding = encodingOf(entity);
  const transfer =
    leaves && !isContainer ? inspectTransfer(raw.subarray(entity.bodyOffset, entity.end), encoding) : null;
  const inner = isContainer ? leaves : null;
  const encodedBytes = entity.end - entity.bodyOffset;
  const part: MessagePart = {
    ...describe(entity),
    encoding,
    encodedBytes,
    decodedBytes: transfer?.decodedBytes ?? encodedBytes,
    parts: entity.parts.map((each) => toPart(raw, each, inner)),
  };
  if (transfer) leaves?.push({ entity, part, transfer, content: textContent(raw, part) });
  return part;
}

function textContent(raw: Uint8Array, part: MessagePart): Uint8Array | null {
  if (!part.type.startsWith("text/") || part.disposition === "attachment") return null;
  const maxBytes = part.type === "text/html" ? mimeBounds.htmlBytes : mimeBounds.textBytes;
  return contentOf(raw, part).subarray(0, maxBytes);
}

function describe(entity: Entity): Omit<MessagePart, "encoding" | "encodedBytes" | "decodedBytes" | "parts"> {
  const { path, depth, type, contentType, offset, bodyOffset, end } = entity;
  const written = (key: string) => entity.fields.find((field) => field.key === key);
  const shown = (key: string) => {
    const field = written(key);
    return field ? toStorableCut(decodedText(field), longestShown) : null;
  };
  const disposition = parseParameters(written("content-disposition")?.value ?? "");
  const names = [
    ...disposition.parameters.filter(({ name }) => name === "filename"),
    ...contentType.parameters.filter(({ name }) => name === "name"),
  ].map(
    ({ name, form, value }): FileName => ({
      parameter: name === "name" ? "name" : "filename",
      form,
      value: toStorableCut(value, longestShown),
    }),
  );
  const filename = parameterOf(disposition, "filename") ?? parameterOf(contentType, "name");
  return {
    path,
    depth,
    type,
    typeWritten: shown("content-type"),
    charset: type.startsWith("text/") ? charsetOf(contentType) : null,
    encodingWritten: shown("content-transfer-encoding"),
    disposition: disposition.value === "" ? null : toStorableCut(disposition.value.toLowerCase(), 100),
    filename: filename === null ? null : toStorableCut(filename, longestShown),
    names,
    cid: shown("content-id")?.replace(/^<|>$/g, "") || null,
    offset,
    bodyOffset,
    end,
  };
}

function charsetOf(contentType: Entity["contentType"]): MessagePart["charset"] {
  const declared = parameterOf(contentType, "charset")?.trim() || null;
  return readCharset(declared === null ? null : toStorableCut(declared, 100));
}

// The size of a part's decoded bytes, and whether its encoding is valid (RFC 2045 §6). It is counted without decoding,
// because most parts are never read.

type Transfer = {
  readonly decodedBytes: number;
  /** As transferred. */
  readonly eightBitBytes: number;
  readonly firstEightBit: number | null;
  /** The offset of the first data that the encoding doesn't allow, from the beginning of the part's body. */
  readonly damagedAt: number | null;
};

const CR = 13;
const LF = 10;
const equals = 61;

function inspectTransfer(body: Uint8Array, encoding: Encoding): Transfer {
  const eightBit = isAscii(body) ? { eightBitBytes: 0, firstEightBit: null } : countEightBit(body);
  const counted =
    encoding === "base64"
      ? inspectBase64(body)
      : encoding === "quoted-printable"
        ? inspectQuotedPrintable(body)
        : { decodedBytes: body.length, damagedAt: null };
  // Decoders differ on damaged data, so our decoder's result counts.
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

type DecodedSize = Pick<Transfer, "decodedBytes" | "damagedAt">;

const digit = 1;
const blank = 2;
const padding = 3;
const base64Kinds = new Uint8Array(256);
for (const byte of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
  base64Kinds[byte] = digit;
for (const byte of Buffer.from(" \t\r\n")) base64Kinds[byte] = blank;
base64Kinds[equals] = padding;

/** Four characters encode three bytes. Nothing may follow the padding. */
function inspectBase64(body: Uint8Array): DecodedSize {
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

function inspectQuotedPrintable(body: Uint8Array): DecodedSize {
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

/** Transports add blanks at line ends (RFC 2045 §6.7, rule 3). Returns -1 if it isn't a soft break. */
function endOfSoftBreak(body: Uint8Array, from: number): number {
  let at = from;
  while (body[at] === 32 || body[at] === 9) at++;
  if (at >= body.length || body[at] === LF) return Math.min(at + 1, body.length);
  return body[at] === CR && body[at + 1] === LF ? at + 2 : -1;
}
