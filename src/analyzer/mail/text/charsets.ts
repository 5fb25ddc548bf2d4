// The charset that a text declares: whether it exists, whether we can decode it, and whether the bytes fit it. Names
// follow the WHATWG Encoding Standard, because webmail does.

import { isAscii, isUtf8 } from "node:buffer";

export type Charset = {
  /** As written. Null if there is none. */
  readonly declared: string | null;
  readonly isKnown: boolean;
  /** It exists and we can decode it. */
  readonly isDecodable: boolean;
};

/** Registered at IANA and supported by email clients, but not by browsers. */
const rare =
  /^(utf-7|unicode-1-1-utf-7|utf-32(?:[bl]e)?|iso-2022-(?:kr|cn|cn-ext|jp-[123])|hz-gb-2312|(?:ibm|cp)-?(?:437|850|852|855|857|858|860|861|862|863|864|865|869|037|1047)|gb_2312-80|johab|viscii|tcvn|armscii-8|iso-8859-9e|ebcdic-[a-z-]+|iso_646\S*)$/;

export function readCharset(declared: string | null): Charset {
  const name = (declared ?? "us-ascii").trim().toLowerCase();
  const isDecodable = isLabel(name);
  return { declared, isDecodable, isKnown: isDecodable || rare.test(name) };
}

const labels = new Map<string, boolean>();
const maxLabels = 200;

/** Cached, because every text asks for it, nearly always for the same few. */
function isLabel(name: string): boolean {
  const known = labels.get(name);
  if (known !== undefined) return known;
  let isOne = true;
  try {
    new TextDecoder(name);
  } catch {
    isOne = false;
  }
  if (labels.size < maxLabels && name.length <= 40) labels.set(name, isOne);
  return isOne;
}

const pieceBytes = 4_096;

/** The offset of the first byte that isn't text in that charset. Null if all are, or if it can't be determined. */
export function findInvalidByte(bytes: Uint8Array, charset: Charset, isCut: boolean): number | null {
  const name = (charset.declared ?? "us-ascii").trim().toLowerCase();
  if (/^(us-)?ascii$/.test(name)) return firstEightBit(bytes);
  if (!charset.isDecodable || isWellFormed(name, bytes, isCut)) return null;
  const decoder = new TextDecoder(name, { fatal: true });
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    if (!takes(decoder, piece, true)) return findIn(bytes, at, name);
  }
  return bytes.length;
}

function firstEightBit(bytes: Uint8Array): number | null {
  if (isAscii(bytes)) return null;
  return bytes.findIndex((byte) => byte > 127);
}

function isWellFormed(name: string, bytes: Uint8Array, isCut: boolean): boolean {
  // True for nearly all texts, and this test doesn't build a string.
  if (/^utf-?8$/.test(name) && isUtf8(bytes)) return true;
  return takes(new TextDecoder(name, { fatal: true }), bytes, isCut);
}

/** Byte by byte within the piece that failed. Everything before it was valid. */
function findIn(bytes: Uint8Array, pieceAt: number, name: string): number {
  const decoder = new TextDecoder(name, { fatal: true });
  takes(decoder, bytes.subarray(0, pieceAt), true);
  for (let at = pieceAt; at < bytes.length; at++) if (!takes(decoder, bytes.subarray(at, at + 1), true)) return at;
  return bytes.length;
}

function takes(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}
