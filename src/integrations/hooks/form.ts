// Reads a posted form into its fields: multipart (RFC 7578) or URL-encoded. Values are bytes, because one of them is a
// raw message. Linear in the size of the body.

import { mediaTypeOf } from "./hook.ts";

export type Form = ReadonlyMap<string, Buffer>;

const mostFields = 200;
const mostHeaderBytes = 8_192;

/** Null if it is neither kind of form, or broken. A field that occurs twice counts once. */
export function readForm(body: Buffer, contentType: string): Form | null {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === "application/x-www-form-urlencoded") return readEncoded(body);
  return mediaType === "multipart/form-data" ? readParts(body, contentType) : null;
}

export function textOf(form: Form, name: string): string | null {
  const value = form.get(name);
  return value === undefined ? null : value.toString("utf8", 0, 10_000);
}

const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;

function readParts(body: Buffer, contentType: string): Form | null {
  const [, quoted, bare] = boundaryPattern.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const form = new Map<string, Buffer>();
  const start = body.indexOf(delimiter.subarray(2));
  // Clients may write a preamble, which ends with a line break.
  if (start !== 0 && body[start - 1] !== 0x0a) return null;
  let at = start + delimiter.length - 2;
  for (let count = 0; count < mostFields; count += 1) {
    if (body.toString("latin1", at, at + 2) === "--") return form;
    const part = readPart(body, at, delimiter);
    if (part === null) return null;
    if (part.name !== null && !form.has(part.name)) form.set(part.name, part.value);
    at = part.end + delimiter.length;
  }
  return null;
}

type FormPart = { readonly name: string | null; readonly value: Buffer; readonly end: number };

/** The part whose delimiter ends at `at`. */
function readPart(body: Buffer, at: number, delimiter: Buffer): FormPart | null {
  if (body.toString("latin1", at, at + 2) !== "\r\n") return null;
  const headersEnd = body.subarray(0, at + mostHeaderBytes).indexOf("\r\n\r\n", at);
  const end = headersEnd < 0 ? -1 : findEnd(body, headersEnd + 2, delimiter);
  if (end < 0) return null;
  const name = nameIn(body.toString("utf8", at, headersEnd));
  return { name, value: body.subarray(headersEnd + 4, Math.max(end, headersEnd + 4)), end };
}

/** A line that only begins like the delimiter belongs to the value. */
function findEnd(body: Buffer, from: number, delimiter: Buffer): number {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const next = body.toString("latin1", at + delimiter.length, at + delimiter.length + 2);
    if (next === "--" || next === "\r\n") return at;
  }
  return -1;
}

const dispositionLine = /^content-disposition:[ \t]{0,9}form-data[^\r\n]{0,2000}/im;
const nameParameter = /;[ \t]{0,9}name="([^"\r\n]{1,200})"/i;

function nameIn(headers: string): string | null {
  return nameParameter.exec(dispositionLine.exec(headers)?.[0] ?? "")?.[1] ?? null;
}

const [ampersand, equals, plus, percent] = [0x26, 0x3d, 0x2b, 0x25];

function readEncoded(body: Buffer): Form | null {
  const form = new Map<string, Buffer>();
  for (let at = 0, count = 0; at < body.length; count += 1) {
    if (count === mostFields) return null;
    const found = body.indexOf(ampersand, at);
    const end = found < 0 ? body.length : found;
    const middle = body.subarray(at, end).indexOf(equals);
    const name = decode(middle < 0 ? body.subarray(at, end) : body.subarray(at, at + middle)).toString(
      "utf8",
    );
    const value = middle < 0 ? Buffer.alloc(0) : decode(body.subarray(at + middle + 1, end));
    if (name !== "" && !form.has(name)) form.set(name, value);
    at = end + 1;
  }
  return form;
}

function decode(encoded: Buffer): Buffer {
  const decoded = Buffer.allocUnsafeSlow(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    const byte = encoded[at] ?? 0;
    const high = byte === percent ? toDigit(encoded[at + 1]) : -1;
    const low = high < 0 ? -1 : toDigit(encoded[at + 2]);
    if (low >= 0) at += 2;
    decoded[length] = low >= 0 ? high * 16 + low : byte === plus ? 0x20 : byte;
    length += 1;
  }
  return decoded.subarray(0, length);
}

/** -1 if it isn't a hexadecimal digit. */
function toDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
