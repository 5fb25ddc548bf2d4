// Lists an archive's contents. Nothing is unpacked except the beginning of a gzip file, to find its kind.

import { constants, inflateRawSync } from "node:zlib";
import { mimeBounds, toStorableCut } from "../text/bounds.ts";
import { decodeCharset } from "../text/decoding.ts";

export type ArchiveEntry = {
  readonly name: string;
  /** Unpacked size as the archive states it. Null where it doesn't. */
  readonly bytes: number | null;
  readonly encrypted: boolean;
};

export type Contents = {
  readonly entries: readonly ArchiveEntry[];
  /** The full number, even though the list is bounded. */
  readonly count: number;
  readonly unpackedBytes: number;
  readonly encrypted: boolean;
  readonly isDamaged: boolean;
};

const damaged: Contents = { entries: [], count: 0, unpackedBytes: 0, encrypted: false, isDamaged: true };

const longestName = 255;

function entryName(bytes: Uint8Array): string {
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

/** RFC 1952 §2.3: the name if it has one, and the beginning of the content. */
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

/** A kilobyte inflates to at most a megabyte, so the first look needs no other limit. */
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

/** RAR 4 and 5 (technotes of the format): names if the headers aren't encrypted. */
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
  // The first record of the extra area describes the file's encryption, if there is one.
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

// Reads the table of contents of a ZIP file (PKWARE's application note, §4.3) without inflating anything. A zip bomb is
// recognized by its stated sizes.

const centralEnd = Buffer.from("PK\u0005\u0006");
const centralHeader = 0x02014b50;
const endLength = 22;
const longestComment = 65_535;
const zip64 = 0xffffffff;

export function readZipDirectory(bytes: Buffer): Contents {
  const from = Math.max(0, bytes.length - longestComment - endLength);
  const end = bytes.subarray(from).lastIndexOf(centralEnd);
  if (end < 0 || from + end + endLength > bytes.length) return damaged;
  const endAt = from + end;
  const said = bytes.readUInt16LE(endAt + 10);
  const size = bytes.readUInt32LE(endAt + 12);
  // A program prepended to an archive shifts it, so the directory is searched from the end.
  const starts = [endAt - size, bytes.readUInt32LE(endAt + 16), zip64Start(bytes, endAt)];
  const begin = said === 0 ? endAt : starts.find((at) => isCentral(bytes, at));
  return begin === undefined ? damaged : readEntries(bytes, begin, endAt);
}

function isCentral(bytes: Buffer, at: number): boolean {
  return at >= 0 && at + 46 <= bytes.length && bytes.readUInt32LE(at) === centralHeader;
}

function zip64Start(bytes: Buffer, endAt: number): number {
  const locator = endAt - 20;
  if (locator < 0 || bytes.readUInt32LE(locator) !== 0x07064b50) return -1;
  const record = Number(bytes.readBigUInt64LE(locator + 8));
  return record >= 0 && record + 56 <= bytes.length ? Number(bytes.readBigUInt64LE(record + 48)) : -1;
}

function readEntries(bytes: Buffer, begin: number, end: number): Contents {
  const entries: ArchiveEntry[] = [];
  let count = 0;
  let at = begin;
  let unpackedBytes = 0;
  while (at < end && isCentral(bytes, at)) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const entry = readEntry(bytes, at, nameEnd);
    unpackedBytes += entry.bytes ?? 0;
    count++;
    if (entries.length < mimeBounds.archiveEntries) entries.push(entry);
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const encrypted = entries.some((entry) => entry.encrypted);
  return { entries, count, unpackedBytes, encrypted, isDamaged: at !== end && count === 0 && begin !== end };
}

function readEntry(bytes: Buffer, at: number, nameEnd: number): ArchiveEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const size = bytes.readUInt32LE(at + 24);
  return {
    name: entryName(bytes.subarray(at + 46, nameEnd)),
    bytes: size === zip64 ? null : size,
    encrypted: (flags & 1) === 1,
  };
}
