// A packet is read as a whole or rejected, because half an answer looks like a fact ("no second SPF record"). A reply that
// does not repeat our ID and question is "foreign": anyone may have sent it, so it does not count.

import { isIPv4, isIPv6 } from "node:net";
import type { Answer, TxtData } from "dns-packet";
import * as packets from "dns-packet";
import { type DnsOutcome, type DnsRecord, toPrintableName, withoutRecords } from "../../analyzer/dns/answer.ts";
import { headerBytes, type Question, repeatsQuestion } from "./dns-question.ts";

export type Reply = DnsOutcome | OpenAlias | "foreign" | "malformed" | "truncated" | "no-edns";

/** The name is an alias of another name that is not in the packet. That does not mean that it has no such record. */
type OpenAlias = {
  readonly status: "alias";
  /** Names on the way, including the last one. */
  readonly aliases: readonly string[];
  readonly target: string;
  readonly ttlSeconds: number;
};

const truncated = 0x0200;
const authenticData = 0x0020;
const authoritative = 0x0400;
const recursionAvailable = 0x0080;
const rcodes = { noError: 0, formErr: 1, nxDomain: 3, notImp: 4, refused: 5, badVers: 16 };

/**
 * Checked before the first record is read, because a name can be built to take thousands of hops: 400 such records cost 70
 * ms. Working domains publish fewer.
 */
const maxRecords = 400;
const maxAliases = 16;

/** Never throws. */
export function decodeAnswer(bytes: Uint8Array, question: Question): Reply {
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isReplyTo(packet, question)) return "foreign";
  const flags = packet.readUInt16BE(2);
  const rcode = flags & 0xf;
  if (rcode === rcodes.formErr || rcode === rcodes.notImp) return "no-edns";
  if (flags & truncated) return "truncated";
  const sections = readSections(packet);
  if (sections === null) return "malformed";
  const fullRcode = (extendedRcode(sections) << 4) | rcode;
  if (fullRcode === rcodes.badVers) return "no-edns";
  if (fullRcode === rcodes.refused) return withoutRecords("refused");
  if (fullRcode !== rcodes.noError && fullRcode !== rcodes.nxDomain) return withoutRecords("servfail");
  return readOutcome(sections, question, fullRcode === rcodes.nxDomain, flags);
}

/** The server is authoritative for the name. */
export function isAuthoritative(reply: Buffer): boolean {
  return (reply.readUInt16BE(2) & authoritative) !== 0;
}

/** Whether a server is authoritative for a name. Null: it does not say, or something else answered in its place. */
export function readAuthority(bytes: Uint8Array, question: Question): boolean | null | "foreign" {
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isReplyTo(packet, question)) return "foreign";
  const flags = packet.readUInt16BE(2);
  const rcode = flags & 0xf;
  if (rcode === rcodes.refused) return false;
  if (rcode !== rcodes.noError) return null;
  if (flags & authoritative) return true;
  // Only a resolver offers recursion: here, a box on the way that intercepts all questions.
  return flags & recursionAvailable ? null : false;
}

function isReplyTo(packet: Buffer, question: Question): boolean {
  if (packet.length < headerBytes || packet.readUInt16BE(0) !== question.id) return false;
  const flags = packet.readUInt16BE(2);
  const isReply = (flags & 0xf800) === 0x8000;
  // A server older than EDNS may answer FORMERR with only a header (RFC 6891 §7).
  if (isReply && (flags & 0xf) === rcodes.formErr && packet.length === headerBytes) return true;
  return isReply && packet.readUInt16BE(4) === 1 && repeatsQuestion(packet, question);
}

type Sections = { answers: packets.Answer[]; authorities: packets.Answer[]; additionals: packets.Answer[] };

function readSections(packet: Buffer): Sections | null {
  const claimed = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  if (claimed > maxRecords) return null;
  try {
    const { answers = [], authorities = [], additionals = [] } = packets.decode(packet);
    // The decoder silently reads past the end of the last record.
    return packets.decode.bytes > packet.length ? null : { answers, authorities, additionals };
  } catch {
    return null;
  }
}

function extendedRcode({ additionals }: Sections): number {
  return additionals.find((record) => record.type === "OPT")?.extendedRcode ?? 0;
}

function readOutcome(sections: Sections, question: Question, isNxdomain: boolean, flags: number): Reply {
  const chain = followAliases(sections.answers, question);
  if (chain === null) return withoutRecords("servfail");
  const { found, ttls, end } = chain;
  const isForOthers = sections.answers.length > 0 && end === "unheard" && ttls.length === 0;
  // Records at a name that does not exist, or only of other names: the packet contradicts itself, so it says nothing.
  if (isForOthers || (isNxdomain && found.length > 0)) return "malformed";
  if (found.length === 0) return readNegative(sections, chain, isNxdomain, flags);
  const records = found.map(toDnsRecord);
  if (!records.every((record) => record !== null)) return "malformed";
  const authenticated = (flags & authenticData) !== 0;
  return { status: "answered", records, ...toVia(chain), ttlSeconds: Math.min(...ttls), authenticated };
}

function readNegative(sections: Sections, chain: Chain, isNxdomain: boolean, flags: number): Reply {
  const { owner, aliases, end, ttls } = chain;
  const negativeTtl = readNegativeTtl(sections.authorities);
  if (!isNxdomain && negativeTtl === null) {
    if (isReferral(sections, flags)) return withoutRecords("servfail");
    if (end === "unheard" && ttls.length > 0)
      return { status: "alias", aliases, target: owner, ttlSeconds: Math.min(...ttls) };
  }
  const ttlSeconds = negativeTtl === null ? null : Math.min(negativeTtl, ...ttls);
  const authenticated = (flags & authenticData) !== 0;
  return { status: isNxdomain ? "nxdomain" : "nodata", records: [], ...toVia(chain), ttlSeconds, authenticated };
}

function toVia({ aliases }: Chain): Pick<DnsOutcome, "aliases"> {
  return aliases.length > 0 ? { aliases } : {};
}

type Chain = {
  readonly found: readonly packets.Answer[];
  /** The name at the end of all aliases, and whether the packet has any record of it. */
  readonly owner: string;
  readonly aliases: readonly string[];
  readonly end: "heard" | "unheard";
  readonly ttls: readonly number[];
};

/** Null for a chain that is too long or a loop. */
function followAliases(answers: packets.Answer[], { name, type }: Question): Chain | null {
  const ttls: number[] = [];
  const aliases: string[] = [];
  let owner = name;
  while (aliases.length <= maxAliases) {
    const here = answers.filter((record) => canonical(record.name) === owner);
    const found = here.filter((record) => record.type === type);
    const alias = here.find((record) => record.type === "CNAME");
    if (found.length > 0 || alias?.type !== "CNAME") {
      const end = here.length > 0 ? "heard" : "unheard";
      return { found, owner, aliases, end, ttls: [...ttls, ...found.map(readTtl)] };
    }
    ttls.push(readTtl(alias));
    owner = canonical(alias.data);
    aliases.push(owner);
  }
  return null;
}

function canonical(name: string): string {
  return toPrintableName(name).toLowerCase();
}

/** RFC 2181 §8: a TTL with the highest bit set means 0. */
function readTtl(record: packets.Answer): number {
  const ttl = "ttl" in record ? (record.ttl ?? 0) : 0;
  return ttl > 0x7fffffff ? 0 : ttl;
}

/** RFC 2308 §5. */
function readNegativeTtl(authorities: packets.Answer[]): number | null {
  const soa = authorities.find((record) => record.type === "SOA");
  return soa === undefined ? null : Math.min(readTtl(soa), soa.data.minimum ?? 0);
}

/** A server that does not recurse refers us elsewhere, which says nothing about the name (RFC 2308 §2.2). */
function isReferral({ authorities }: Sections, flags: number): boolean {
  return (flags & (authoritative | recursionAvailable)) === 0 && authorities.some((record) => record.type === "NS");
}

// A record of a packet as evidence. Text is Latin-1, one character per byte, as from the runtime's resolver, because that
// loses nothing. UTF-8 would replace invalid bytes with question marks.

/** Null for what cannot be a record of its type, because the decoder trusts wrong lengths. */
function toDnsRecord(answer: Answer): DnsRecord | null {
  switch (answer.type) {
    case "A":
      return isIPv4(answer.data) ? { type: "A", address: answer.data } : null;
    case "AAAA":
      return isIPv6(answer.data) ? { type: "AAAA", address: answer.data } : null;
    case "CNAME":
    case "NS":
    case "PTR":
      return { type: answer.type, target: toPrintableName(answer.data) };
    case "MX": {
      const { preference = 0, exchange } = answer.data;
      return { type: "MX", preference, exchange: toPrintableName(exchange) };
    }
    case "TXT":
      return { type: "TXT", parts: toParts(answer.data) };
    case "SOA": {
      const { mname, serial = 0, minimum = 0 } = answer.data;
      return { type: "SOA", primary: toPrintableName(mname), serial, minimum };
    }
    default:
      return toFields(answer);
  }
}

function toParts(text: TxtData): string[] {
  return [text].flat().map((part) => (typeof part === "string" ? part : part.toString("latin1")));
}

function toFields(answer: Answer): DnsRecord | null {
  switch (answer.type) {
    case "TLSA": {
      const { usage, selector, matchingType, certificate } = answer.data;
      return { type: "TLSA", fields: { usage, selector, matchingType, certificate: certificate.toString("hex") } };
    }
    case "CAA": {
      const { flags = 0, tag, value } = answer.data;
      return { type: "CAA", fields: { flags, tag, value } };
    }
    case "DS": {
      const { keyTag, algorithm, digestType, digest } = answer.data;
      return { type: "DS", fields: { keyTag, algorithm, digestType, digest: digest.toString("hex") } };
    }
    case "DNSKEY": {
      const { flags, algorithm, key } = answer.data;
      return { type: "DNSKEY", fields: { flags, algorithm, key: key.toString("base64") } };
    }
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { type: "SRV", fields: { priority, weight, port, target: toPrintableName(target) } };
    }
    default:
      return null;
  }
}
