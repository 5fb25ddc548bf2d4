// A question as bytes, and whether a reply repeats it. Written by hand, because there are thousands of questions in a second.
// The packet codec builds each from objects in several passes, and again to compare.

import type { RecordType } from "../../analyzer/dns/answer.ts";

/** The name as returned by `toQuestionName`: lower case, without a trailing dot. */
export type Question = { readonly id: number; readonly name: string; readonly type: RecordType };

type Asking = {
  readonly edns: boolean;
  /** CD: do not check signatures (RFC 4035 §3.2.2). */
  readonly unchecked?: boolean;
  /** For an authoritative server, which does not have to recurse. */
  readonly direct?: boolean;
};

export const headerBytes = 12;
/** Passes unfragmented almost everywhere (DNS flag day 2020). */
const udpPayloadSize = 1232;
const recursionDesired = 0x0100;
const checkingDisabled = 0x0010;
/**
 * AD alone requests the AD flag (RFC 6840 §5.7). DO would also bring signatures, which we do not read and which force half of
 * all answers to TCP.
 */
const authenticData = 0x0020;
const internet = 1;
const dot = 0x2e;

const numbers: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DS: 43,
  DNSKEY: 48,
  TLSA: 52,
  CAA: 257,
};

/** OPT at the root (RFC 6891 §6.1.2), without flags and options. */
const opt = Buffer.from([0, 0, 41, udpPayloadSize >> 8, udpPayloadSize & 0xff, 0, 0, 0, 0, 0, 0]);

export function encodeQuestion({ id, name, type }: Question, asking: Asking): Buffer {
  const { edns, unchecked = false, direct = false } = asking;
  const nameEnd = headerBytes + nameLength(name);
  const packet = Buffer.alloc(nameEnd + 4 + (edns ? opt.length : 0));
  packet.writeUInt16BE(id, 0);
  packet.writeUInt16BE(authenticData | (direct ? 0 : recursionDesired) | (unchecked ? checkingDisabled : 0), 2);
  packet.writeUInt16BE(1, 4);
  packet.writeUInt16BE(edns ? 1 : 0, 10);
  writeName(packet, name);
  packet.writeUInt16BE(numbers[type], nameEnd);
  packet.writeUInt16BE(internet, nameEnd + 2);
  if (edns) packet.set(opt, nameEnd + 4);
  return packet;
}

/** Names are compared without case (RFC 4343), type and class exactly. */
export function repeatsQuestion(packet: Buffer, { name, type }: Question): boolean {
  const nameEnd = headerBytes + nameLength(name);
  return (
    packet.length >= nameEnd + 4 &&
    repeatsName(packet, name) &&
    packet.readUInt16BE(nameEnd) === numbers[type] &&
    packet.readUInt16BE(nameEnd + 2) === internet
  );
}

function nameLength(name: string): number {
  return name === "." ? 1 : name.length + 2;
}

/** Each dot is replaced by the length of the label after it. */
function writeName(packet: Buffer, name: string): void {
  if (name === ".") return;
  packet.write(name, headerBytes + 1, "latin1");
  let lengthAt = headerBytes;
  for (let at = lengthAt + 1; at <= headerBytes + name.length; at++) {
    if (packet[at] !== dot) continue;
    packet[lengthAt] = at - lengthAt - 1;
    lengthAt = at;
  }
  packet[lengthAt] = headerBytes + name.length - lengthAt;
}

function repeatsName(packet: Buffer, name: string): boolean {
  if (name === ".") return packet[headerBytes] === 0;
  let lengthAt = headerBytes;
  for (let index = 0; index < name.length; index++) {
    const at = headerBytes + 1 + index;
    const code = name.charCodeAt(index);
    if (code !== dot) {
      if (toLower(packet[at]) !== code) return false;
      continue;
    }
    if (packet[lengthAt] !== at - lengthAt - 1) return false;
    lengthAt = at;
  }
  return packet[lengthAt] === headerBytes + name.length - lengthAt && packet[headerBytes + 1 + name.length] === 0;
}

function toLower(byte: number | undefined): number | undefined {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
