// Reads a posted form into its fields: multipart (RFC 7578) or URL-encoded. Values are bytes, because one of them is a
// raw message. Linear in the size of the body. Values are decoded only when they are read, so that a form whose signature
// is wrong costs no more memory than its body.

import { mediaTypeOf } from "./hook.ts";

type Field = { readonly bytes: Buffer; readonly isEncoded: boolean };
export type Form = ReadonlyMap<string, Field>;

const mostFields = 200;
const mostHeaderBytes = 8_192;
/** Longer ones are no field of any provider. */
const mostNameBytes = 300;
const longestText = 10_000;

/** Null if it is neither kind of form, or broken. A field that occurs twice counts once. */
export function readForm(body: Buffer, contentType: string): Form | null {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType === "application/x-www-form-urlencoded") return readEncoded(body);
  return mediaType === "multipart/form-data" ? readParts(body, contentType) : null;
}

/** The beginning of a value. */
export function textOf(form: Form, name: string): string | null {
  const field = form.get(name);
  if (field === undefined) return null;
  // A byte takes up to three when it is encoded.
  const bytes = field.isEncoded ? decode(field.bytes.subarray(0, 3 * longestText)) : field.bytes;
  return bytes.toString("utf8", 0, longestText);
}

/** The whole value. */
export function bytesOf(form: Form, name: string): Buffer | undefined {
  const field = form.get(name);
  return field?.isEncoded ? decode(field.bytes) : field?.bytes;
}

const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;

function readParts(body: Buffer, contentType: string): Form | null {
  const [, quoted, bare] = boundaryPattern.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const form = new Map<string, Field>();
  const start = body.indexOf(delimiter.subarray(2));
  // Clients may write a preamble, which ends with a line break.
  if (start !== 0 && body[start - 1] !== 0x0a) return null;
  let at = start + delimiter.length - 2;
  for (let count = 0; count < mostFields; count += 1) {
    if (body.toString("latin1", at, at + 2) === "--") return form;
    const part = readPart(body, at, delimiter);
    if (part === null) return null;
    if (part.name !== null && !form.has(part.name)) form.set(part.name, { bytes: part.value, isEncoded: false });
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
  const form = new Map<string, Field>();
  for (let at = 0, count = 0; at < body.length; count += 1) {
    if (count === mostFields) return null;
    const found = body.indexOf(ampersand, at);
    const end = found < 0 ? body.length : found;
    const pair = body.subarray(at, end);
    const middle = pair.indexOf(equals);
    const nameBytes = middle < 0 ? pair : pair.subarray(0, middle);
    const name = nameBytes.length > mostNameBytes ? "" : decode(nameBytes).toString("utf8");
    const bytes = pair.subarray(middle < 0 ? pair.length : middle + 1);
    if (name !== "" && !form.has(name)) form.set(name, { bytes, isEncoded: true });
    at = end + 1;
  }
  return form;
}

function decode(encoded: Buffer): Buffer {
  // The raw message that is left should not keep three times its memory.
  let escapes = 0;
  for (let at = encoded.indexOf(percent); at >= 0; at = encoded.indexOf(percent, at + 1))
    if (toByte(encoded, at) >= 0) escapes += 1;
  const decoded = Buffer.allocUnsafeSlow(encoded.length - 2 * escapes);
  let at = 0;
  for (let index = 0; index < decoded.length; index += 1) {
    const byte = encoded[at] ?? 0;
    const escaped = byte === percent ? toByte(encoded, at) : -1;
    decoded[index] = escaped >= 0 ? escaped : byte === plus ? 0x20 : byte;
    at += escaped >= 0 ? 3 : 1;
  }
  return decoded;
}

/** The byte that is escaped here. -1 if none is. */
function toByte(encoded: Buffer, at: number): number {
  const [high, low] = [toDigit(encoded[at + 1]), toDigit(encoded[at + 2])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** -1 if it isn't a hexadecimal digit. */
function toDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
