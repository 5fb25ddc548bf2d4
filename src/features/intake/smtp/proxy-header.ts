// Parses the PROXY protocol's header, versions 1 and 2, as described by the HAProxy project (proxy-protocol.txt, sections 2.1
// and 2.2). Only trusted proxies send one. But a broken proxy may pass on a stranger's bytes, so everything is bounded and
// nothing is guessed: what is not clearly a header is rejected.

import { isIPv4, isIPv6 } from "node:net";
import { toPlainAddress } from "../../../analyzer/addresses.ts";

export type ProxyReading =
  /** The bytes so far may be the beginning of a header. */
  | { readonly state: "more" }
  | {
      readonly state: "header";
      readonly version: 1 | 2;
      /** Length of the header. The client's bytes follow it. */
      readonly length: number;
      /** The client. Null if the proxy speaks for itself or does not say. */
      readonly source: ProxySource | null;
    }
  | { readonly state: "bad"; readonly problem: string };

export type ProxySource = { readonly address: string; readonly port: number };

const firstWord = Buffer.from("PROXY ");
/** Including CRLF: "worst case" of section 2.1. */
const maxLineBytes = 107;

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n");
const fixedBytes = 16;
const maxPayloadBytes = 4_096;

const crc32cType = 0x03;
const commands = { local: 0, proxy: 1 } as const;
const families = { unspecified: 0, ipv4: 1, ipv6: 2, unix: 3 } as const;
const streamTransport = 1;

const more: ProxyReading = { state: "more" };

export function parseProxyHeader(bytes: Uint8Array): ProxyReading {
  const heard = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (beginsLike(heard, firstWord)) return parseLine(heard);
  if (beginsLike(heard, signature)) return parseBinary(heard);
  return bad("it is neither version 1 nor version 2");
}

/** Also true if there are too few bytes to know. */
function beginsLike(heard: Buffer, start: Buffer): boolean {
  const length = Math.min(heard.length, start.length);
  return heard.subarray(0, length).equals(start.subarray(0, length));
}

function parseLine(heard: Buffer): ProxyReading {
  const lineFeed = heard.subarray(0, maxLineBytes).indexOf("\n");
  if (lineFeed < 0) return heard.length < maxLineBytes ? more : bad("its line has no line ending within 107 bytes");
  const line = heard.toString("latin1", 0, lineFeed + 1);
  if (!line.endsWith("\r\n")) return bad("its line does not end with CRLF");
  const length = lineFeed + 1;
  const words = line.slice(0, -2).split(" ");
  // Everything after UNKNOWN is ignored.
  if (words[1] === "UNKNOWN") return { state: "header", version: 1, length, source: null };
  if (words.length !== 6) return bad("its line does not have six words");
  const [, family = "", from = "", to = "", ...ports] = words;
  if (!isOfFamily(family, from) || !isOfFamily(family, to)) return bad("its addresses are invalid");
  const [port, ownPort] = ports.map(toPort);
  if (port === undefined || ownPort === undefined) return bad("its ports are invalid");
  return { state: "header", version: 1, length, source: { address: toPlainAddress(from) ?? from, port } };
}

function isOfFamily(family: string, address: string): boolean {
  if (family === "TCP4") return isIPv4(address);
  return family === "TCP6" && isIPv6(address) && !address.includes("%");
}

function toPort(digits: string): number | undefined {
  const port = /^(0|[1-9]\d{0,4})$/.test(digits) ? Number(digits) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

function parseBinary(heard: Buffer): ProxyReading {
  const [versionAndCommand, familyAndTransport] = heard.subarray(signature.length);
  if (versionAndCommand === undefined) return more;
  const command = versionAndCommand & 0x0f;
  if (versionAndCommand >> 4 !== 2) return bad("its version is not 2");
  if (command !== commands.local && command !== commands.proxy) return bad("its command is unknown");
  if (familyAndTransport === undefined || heard.length < fixedBytes) return more;
  const payloadBytes = heard.readUInt16BE(fixedBytes - 2);
  if (payloadBytes > maxPayloadBytes) return bad("it is too long");
  const length = fixedBytes + payloadBytes;
  if (heard.length < length) return more;
  if (command === commands.local) return { state: "header", version: 2, length, source: null };
  return parsePayload(heard.subarray(0, length), familyAndTransport);
}

/** For each family, the bytes of one address, and of both addresses with their ports. */
const blocks = {
  [families.ipv4]: { addressBytes: 4, blockBytes: 12 },
  [families.ipv6]: { addressBytes: 16, blockBytes: 36 },
  [families.unix]: { addressBytes: 108, blockBytes: 216 },
} as const;

function parsePayload(header: Buffer, familyAndTransport: number): ProxyReading {
  const family = familyAndTransport >> 4;
  const payload = header.subarray(fixedBytes);
  const unnamed: ProxyReading = { state: "header", version: 2, length: header.length, source: null };
  if (family === families.unspecified) return unnamed;
  if (family !== families.ipv4 && family !== families.ipv6 && family !== families.unix)
    return bad("its address family is unknown");
  if (family !== families.unix && (familyAndTransport & 0x0f) !== streamTransport)
    return bad("its transport is not a stream");
  const { addressBytes, blockBytes } = blocks[family];
  if (payload.length < blockBytes) return bad("its addresses are truncated");
  const problem = findTlvProblem(header, fixedBytes + blockBytes);
  if (problem !== null) return bad(problem);
  if (family === families.unix) return unnamed;
  const address = toAddress(payload.subarray(0, addressBytes));
  return { ...unnamed, source: { address, port: payload.readUInt16BE(2 * addressBytes) } };
}

function toAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
  return toPlainAddress(groups.join(":")) ?? groups.join(":");
}

/** Section 2.2.7: a sequence of type, two bytes of length, and value, up to the end of the header. */
function findTlvProblem(header: Buffer, start: number): string | null {
  for (let position = start; position < header.length; ) {
    if (position + 3 > header.length) return "one of its extensions is truncated";
    const valueStart = position + 3;
    const valueEnd = valueStart + header.readUInt16BE(position + 1);
    if (valueEnd > header.length) return "one of its extensions is longer than the header";
    if (header[position] === crc32cType && !isChecksumRight(header, valueStart, valueEnd))
      return "its checksum is wrong";
    position = valueEnd;
  }
  return null;
}

/** Section 2.2.3: computed over the whole header with the checksum field set to zero. */
function isChecksumRight(header: Buffer, start: number, end: number): boolean {
  if (end - start !== 4) return false;
  const zeroed = Buffer.from(header).fill(0, start, end);
  return crc32c(zeroed) === header.readUInt32BE(start);
}

/** CRC-32C, reflected (RFC 9260 appendix A). Bit by bit, because a header is short and comes once per connection. */
function crc32c(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (0x82f63b78 & -(remainder & 1));
  }
  return (remainder ^ 0xffffffff) >>> 0;
}

function bad(problem: string): ProxyReading {
  return { state: "bad", problem };
}
