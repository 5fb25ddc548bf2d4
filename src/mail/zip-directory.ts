// The table of contents of a ZIP file (PKWARE's application note, §4.3), without inflating anything: a bomb is told by what
// it says of itself.

import { type ArchiveEntry, type Contents, damaged, entryName } from "./archive.ts";
import { mimeBounds } from "./mime-bounds.ts";

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
  // Programs put before an archive move it, so the directory is looked for where it ends.
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
