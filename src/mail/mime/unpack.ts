// Packed attachments → their files, within bounds: gzip, zip, or as they are. A bomb is given up at the bound, damage is a
// problem in words, and nothing throws. The zip reader knows what reports use: stored and deflated entries of the central directory.

import { crc32, gunzipSync, type InflateRaw, inflateRawSync } from "node:zlib";

export const maxUnpackedBytes = 20_971_520;
const maxEntries = 20;

type Unpacked =
  | { readonly ok: true; readonly files: readonly Uint8Array[] }
  | { readonly ok: false; readonly problem: string };

export function unpack(bytes: Uint8Array): Unpacked {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed.length >= 2 && packed.readUInt16BE(0) === 0x1f8b) return inflated(() => [gunzip(packed)]);
  if (packed.length >= 4 && packed.readUInt32LE(0) === localHeader) return inflated(() => unzip(packed));
  return { ok: true, files: [packed] };
}

/** Some reporters send bytes behind the end of the archive; then its first member is read alone, checked as it says. */
function gunzip(packed: Buffer): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return firstMember(packed);
  }
}

/** RFC 1952 §2.3: a header with optional fields, deflated bytes, and eight bytes that check them. */
function firstMember(packed: Buffer): Uint8Array {
  const flags = packed.readUInt8(3);
  let at = 10;
  if (flags & 4) at += 2 + packed.readUInt16LE(at);
  for (const named of [8, 16]) if (flags & named) at = packed.indexOf(0, at) + 1 || packed.length;
  if (flags & 2) at += 2;
  const { buffer, engine } = inflateRawSync(packed.subarray(at), {
    maxOutputLength: maxUnpackedBytes,
    info: true,
  }) as unknown as { readonly buffer: Buffer; readonly engine: InflateRaw };
  if (packed.readUInt32LE(at + engine.bytesWritten) !== crc32(buffer)) throw new Error("checksum differs");
  return buffer;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

const tooLarge = `It unpacks to more than ${maxUnpackedBytes} bytes.`;

function inflated(work: () => Uint8Array[]): Unpacked {
  try {
    return { ok: true, files: work() };
  } catch (error) {
    return {
      ok: false,
      problem: isTooLarge(error) ? tooLarge : "It cannot be unpacked: the archive is damaged.",
    };
  }
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const centralEnd = 0x06054b50;
const longestComment = 65_557;

/** PKWARE's application note, §4.3. Reading past the end throws, which is damage. */
function unzip(packed: Buffer): Uint8Array[] {
  const end = packed.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  if (end < 0 || packed.length - end > longestComment || packed.readUInt32LE(end) !== centralEnd)
    throw new Error("no central directory");
  const files: Uint8Array[] = [];
  let left = maxUnpackedBytes;
  let at = packed.readUInt32LE(end + 16);
  for (let entry = 0; entry < Math.min(packed.readUInt16LE(end + 10), maxEntries); entry++) {
    if (packed.readUInt32LE(at) !== centralHeader) throw new Error("no central header");
    const file = readEntry(packed, at, left);
    left -= file.length;
    if (file.length > 0) files.push(file);
    at += 46 + packed.readUInt16LE(at + 28) + packed.readUInt16LE(at + 30) + packed.readUInt16LE(at + 32);
  }
  return files;
}

function readEntry(packed: Buffer, central: number, left: number): Uint8Array {
  const method = packed.readUInt16LE(central + 10);
  const compressedSize = packed.readUInt32LE(central + 20);
  const local = packed.readUInt32LE(central + 42);
  if (packed.readUInt32LE(local) !== localHeader) throw new Error("no local header");
  const began = local + 30 + packed.readUInt16LE(local + 26) + packed.readUInt16LE(local + 28);
  const content = packed.subarray(began, began + compressedSize);
  if (method === 0) return content.subarray(0, left);
  if (method !== 8) throw new Error("unknown method");
  return content.length === 0 ? content : inflateRawSync(content, { maxOutputLength: Math.max(left, 1) });
}
