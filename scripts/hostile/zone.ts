// The DNS that hostile messages refer to: what its owners publish, and how its servers misbehave.

import { createPublicKey, randomBytes } from "node:crypto";
import { toTextParts, type Zone } from "../../src/analyzer/dns/zone.ts";
import type { Behaviour, ServedQuery } from "../../test/dns-server.ts";

/** `zone` has the reverse DNS of each address. */
export const clients = {
  manyNames: { address: "192.0.2.1", helo: "p1.names.example" },
  tooManyNames: { address: "192.0.2.2", helo: "p1.names.example" },
  slowNames: { address: "192.0.2.3", helo: "slow.example" },
} as const;

/** A working list for addresses and domains, so that links are read and looked up. */
export const listZone = "list.example";

const key = keyOf(2_048);
const allow = "v=spf1 ip4:127.0.0.1 ip4:192.0.2.0/28 -all";
const addresses = Array.from({ length: 300 }, (_, index) => `198.51.100.${index % 256}`);
const names = Array.from({ length: 1_000 }, (_, index) => `p${index}.names.example`);
const hosts = Array.from({ length: 1_000 }, (_, index) => ({ preference: 1, exchange: `m${index}.hosts.example` }));

/** The first client sends the messages whose trap isn't in DNS. */
export const zone: Zone = {
  "sender.example": { TXT: [allow] },
  [`2.0.0.127.${listZone}`]: { A: ["127.0.0.2"] },
  [`test.${listZone}`]: { A: ["127.0.0.2"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject"] },
  ...keys("sender.example", [key]),
  ...keys("long-keys.example", [keyOf(8_192)]),
  ...keys("huge-keys.example", [keyOf(16_384)]),
  ...keys("many-keys.example", Array<string>(100).fill(key)),
  ...everywhere("include-bomb.example", `v=spf1 ${many(10, (index) => `include:i${index}.%{d}`)} -all`),
  ...everywhere("macro-bomb.example", `v=spf1 exists:${"%{s}.".repeat(10_000)}macro-bomb.example exp=%{d} -all`),
  ...everywhere(
    "lookup-bomb.example",
    `v=spf1 ${many(10, (index) => `a:a${index}.%{d} mx:m${index}.%{d} ptr:%{d}`)} -all`,
  ),
  "loop.example": { CNAME: ["a.loop.example"] },
  "*.loop.example": { CNAME: ["loop.example"] },
  ...everywhere("long-records.example", `v=spf1 ${many(3_500, (index) => `ip4:10.0.0.${index % 256}`)} -all`),
  "_dmarc.long-records.example": { TXT: [`v=DMARC1; p=reject; ${many(6_000, (index) => `x${index}=y;`)}`] },
  ...keys("long-records.example", [`${key}; n=${"a".repeat(50_000)}`]),
  ...inMany("many-records.example", Array<string>(150).fill(allow), Array<string>(150).fill("v=DMARC1; p=reject")),
  ...everywhere("control.example", "v=spf1 ".padEnd(60_000, "\u0001\0")),
  "many-hosts.example": { TXT: ["v=spf1 mx -all"], MX: hosts.slice(0, 300) },
  "too-many-hosts.example": { TXT: ["v=spf1 mx -all"], MX: hosts },
  "*.hosts.example": { A: addresses },
  "reports.example": { TXT: [allow] },
  "_dmarc.reports.example": {
    TXT: [`v=DMARC1; p=none; rua=${many(2_500, (index) => `mailto:a@r${index}.example`, ",")}`],
  },
  "1.2.0.192.in-addr.arpa": { PTR: names.slice(0, 300) },
  "2.2.0.192.in-addr.arpa": { PTR: names },
  "3.2.0.192.in-addr.arpa": { PTR: names.slice(0, 10).map((name) => `${name}.slow.example`) },
  "*.names.example": { A: addresses },
  ...everywhere("slow.example", `v=spf1 ${many(10, (index) => `include:i${index}.%{d}`)} -all`),
};

/** How the answer to a query misbehaves. */
export function behave({ name, transport }: ServedQuery): Behaviour | undefined {
  if (name.endsWith("silent.example")) return { drop: true };
  if (name.endsWith("slow.example")) return { delayMs: 1_500 };
  if (name.endsWith("garbage.example")) return { packets: (answer) => [withGarbage(answer)] };
  if (!name.endsWith("pointers.example")) return undefined;
  return transport === "udp" ? { truncate: true } : { packets: (answer) => [withPointers(answer)] };
}

function keys(domain: string, records: readonly string[]): Zone {
  const TXT = records.map((record) => toTextParts(`v=DKIM1; p=${record}`));
  return { [`*._domainkey.${domain}`]: { TXT } };
}

/** With addresses and mail servers at every name. */
function everywhere(domain: string, text: string): Zone {
  const records = { TXT: [text], A: addresses, MX: hosts.slice(0, 100) };
  return { [domain]: records, [`*.${domain}`]: records };
}

function inMany(domain: string, own: readonly string[], policies: readonly string[]): Zone {
  const records = { TXT: [...own, ...policies], A: addresses, MX: hosts.slice(0, 300) };
  return { [domain]: records, [`*.${domain}`]: records };
}

/** The private key is unknown: verification takes as long as for a valid signature, and fails. */
function keyOf(bits: number): string {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0xff;
  modulus[modulus.length - 1] = 0xff;
  const jwk = { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB" };
  return createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "der" }).toString("base64");
}

function many(count: number, write: (index: number) => string, between = " "): string {
  return Array.from({ length: count }, (_, index) => write(index)).join(between);
}

function withGarbage(answer: Buffer): Buffer {
  return Buffer.concat([answer, randomBytes(400)]).fill(0xff, 6, 12);
}

/**
 * 400 records, each with a name that takes 8,000 steps to resolve: a pointer to a pointer to a pointer (RFC 1035
 * §4.1.4).
 */
function withPointers(answer: Buffer): Buffer {
  const head = Buffer.from(answer.subarray(0, answer.indexOf(0, 12) + 5));
  head.writeUInt16BE(400, 6);
  head.fill(0, 8, 12);
  const begin = head.length + 12;
  const last = begin + 2 * Math.floor((0x3ffe - begin) / 2);
  const chain: Buffer[] = [];
  for (let at = begin; at <= last; at += 2) chain.push(pointerTo(at === begin ? 12 : at - 2));
  const unknownType = 0xff00;
  const holder = toRecord(12, unknownType, Buffer.concat(chain));
  const text = toRecord(last, 16, Buffer.of(1, 97));
  return Buffer.concat([head, holder, ...Array<Buffer>(399).fill(text)]);
}

function toRecord(ownerAt: number, type: number, content: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt16BE(content.length, 8);
  return Buffer.concat([pointerTo(ownerAt), fields, content]);
}

function pointerTo(offset: number): Buffer {
  return Buffer.of(0xc0 | (offset >> 8), offset & 0xff);
}
