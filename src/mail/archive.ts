// What an archive says of its content. Nothing is unpacked but the beginning of a gzip file, to see what kind it holds.

import { constants, inflateRawSync } from "node:zlib";
import { mimeBounds } from "./mime-bounds.ts";
import { toStorableCut } from "./storable.ts";
import { decodeCharset } from "./text-decoding.ts";

export type ArchiveEntry = {
  readonly name: string;
  /** Unpacked, as the archive says; null where it does not. */
  readonly bytes: number | null;
  readonly encrypted: boolean;
};

export type Contents = {
  readonly entries: readonly ArchiveEntry[];
  /** All that there are, though the list is bounded. */
  readonly count: number;
  readonly unpackedBytes: number;
  readonly encrypted: boolean;
  readonly isDamaged: boolean;
};

export const damaged: Contents = {
  entries: [],
  count: 0,
  unpackedBytes: 0,
  encrypted: false,
  isDamaged: true,
};

const longestName = 255;

export function entryName(bytes: Uint8Array): string {
  return toStorableCut(decodeCharset(bytes, null), longestName);
}

function contents(entries: readonly ArchiveEntry[], count = entries.length): Contents {
  const unpackedBytes = entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const encrypted = entries.some((entry) => entry.encrypted);
  return { entries, count, unpackedBytes, encrypted, isDamaged: false };
}

const block = 512;

/** POSIX pax and ustar. */
export function readTarNames(bytes: Buffer): Contents {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at + block <= bytes.length && entries.length < mimeBounds.archiveEntries; ) {
    const header = bytes.subarray(at, at + block);
    if (header[0] === 0) break;
    const size = Math.max(0, Number.parseInt(field(header, 124, 136).toString("latin1"), 8) || 0);
    const isFile = header[156] === 0 || header[156] === 48;
    if (isFile) entries.push({ name: entryName(field(header, 0, 100)), bytes: size, encrypted: false });
    at += block + Math.ceil(size / block) * block;
  }
  return contents(entries);
}

function field(header: Buffer, from: number, to: number): Buffer {
  const end = header.indexOf(0, from);
  return header.subarray(from, end < 0 || end > to ? to : end);
}

/** RFC 1952 §2.3: its name, if it says one, and the beginning of its content. */
export function readGzip(bytes: Buffer): { readonly name: string | null; readonly beginning: Buffer } {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  let name: string | null = null;
  if ((flags & 8) !== 0) {
    const end = endOfText(bytes, at);
    name = entryName(bytes.subarray(at, end));
    at = end + 1;
  }
  if ((flags & 16) !== 0) at = endOfText(bytes, at) + 1;
  if ((flags & 2) !== 0) at += 2;
  return { name, beginning: inflateBeginning(bytes.subarray(at)) };
}

function endOfText(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  return end < 0 ? bytes.length : end;
}

/** A kilobyte inflates to a megabyte at most, so the first look needs no other bound. */
function inflateBeginning(deflated: Buffer): Buffer {
  const first = inflate(deflated.subarray(0, 1_000));
  if (first === null || first.length > 65_536) return first ?? Buffer.alloc(0);
  return inflate(deflated.subarray(0, 65_536)) ?? first;
}

function inflate(deflated: Buffer): Buffer | null {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mimeBounds.inflatedBytes };
    return inflateRawSync(deflated, options);
  } catch {
    return null;
  }
}

/** RAR 4 and 5 (technotes of the format): names where the headers are not encrypted. */
export function readRarNames(bytes: Buffer): Contents {
  return bytes[6] === 1 ? readRar5(bytes) : readRar4(bytes);
}

function readRar4(bytes: Buffer): Contents {
  const entries: ArchiveEntry[] = [];
  let at = 7;
  while (at + 32 <= bytes.length && entries.length < mimeBounds.archiveEntries) {
    const type = bytes[at + 2];
    const flags = bytes.readUInt16LE(at + 3);
    const headerBytes = bytes.readUInt16LE(at + 5);
    if (headerBytes < 7) break;
    // The main header says that all others are encrypted.
    if (type === 0x73 && (flags & 0x80) !== 0) return { ...contents(entries), encrypted: true };
    const packed = type === 0x74 || (flags & 0x8000) !== 0 ? bytes.readUInt32LE(at + 7) : 0;
    if (type === 0x74) entries.push(toRar4Entry(bytes, at, flags));
    if (type === 0x7b) break;
    at += headerBytes + packed;
  }
  return contents(entries);
}

function toRar4Entry(bytes: Buffer, at: number, flags: number): ArchiveEntry {
  const nameAt = at + 32 + ((flags & 0x100) === 0 ? 0 : 8);
  const name = bytes.subarray(nameAt, nameAt + bytes.readUInt16LE(at + 26));
  return {
    name: entryName(field(name, 0, name.length)),
    bytes: bytes.readUInt32LE(at + 11),
    encrypted: (flags & 4) !== 0,
  };
}

function readRar5(bytes: Buffer): Contents {
  const entries: ArchiveEntry[] = [];
  const cursor = { at: 8 };
  const next = () => readVarint(bytes, cursor);
  while (cursor.at + 7 < bytes.length && entries.length < mimeBounds.archiveEntries) {
    cursor.at += 4;
    const headerBytes = next();
    const end = cursor.at + headerBytes;
    const type = next();
    const flags = next();
    const extraBytes = (flags & 1) === 0 ? 0 : next();
    const packed = (flags & 2) === 0 ? 0 : next();
    if (type === 4) return { ...contents(entries), encrypted: true };
    if (type === 5 || headerBytes === 0) break;
    if (type === 2) entries.push(readRar5File(bytes, cursor, end - extraBytes, end));
    cursor.at = end + packed;
  }
  return contents(entries);
}

function readRar5File(bytes: Buffer, cursor: { at: number }, extraAt: number, end: number): ArchiveEntry {
  const next = () => readVarint(bytes, cursor);
  const flags = next();
  const unpacked = next();
  next();
  if ((flags & 2) !== 0) cursor.at += 4;
  if ((flags & 4) !== 0) cursor.at += 4;
  next();
  next();
  const nameBytes = next();
  const name = entryName(bytes.subarray(cursor.at, Math.min(cursor.at + nameBytes, end)));
  const extra = { at: extraAt };
  readVarint(bytes, extra);
  // The first record of the extra area is the encryption of the file, where there is one.
  const encrypted = extraAt < end && readVarint(bytes, extra) === 1;
  return { name, bytes: unpacked, encrypted };
}

function readVarint(bytes: Buffer, cursor: { at: number }): number {
  let value = 0;
  for (let shift = 0; shift < 49; shift += 7) {
    const byte = bytes[cursor.at++] ?? 0;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) break;
  }
  return value;
}
