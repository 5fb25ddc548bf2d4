// Facts about hosts and domains through the real client and a real server: network trouble must not become a fact.

import { afterEach, expect, test } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherDane, gatherDnssec } from "../../../src/analyzer/facts/domain.ts";
import { gatherPtr } from "../../../src/analyzer/facts/gather.ts";
import { gatherMx } from "../../../src/analyzer/facts/mx.ts";
import { createDns } from "../../../src/platform/system/dns-client.ts";
import { type Behaviour, type ServedQuery, startDnsServer } from "../../dns-server.ts";

const zone: Zone = {
  ".": { SOA: [{ primary: "a.root.example", serial: 1, minimum: 60 }] },
  "7.113.0.203.in-addr.arpa": { CNAME: ["7.sub.113.0.203.in-addr.arpa"] },
  "7.sub.113.0.203.in-addr.arpa": { PTR: ["mail.a.example"] },
  "mail.a.example": { A: ["203.0.113.7"] },
  "a.example": {
    MX: [{ preference: 10, exchange: "mail.a.example" }],
    SOA: [{ primary: "ns.a.example", serial: 1, minimum: 60 }],
    DS: [{ keyTag: 1, algorithm: 13, digestType: 2, digest: "ab".repeat(32) }],
  },
  "_25._tcp.mail.a.example": { TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: "cd".repeat(32) }] },
};

const open: { readonly close: () => unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function connect(behave: (query: ServedQuery) => Behaviour | undefined, timeoutMs = 5_000) {
  const server = await startDnsServer({ zone, behave });
  const dns = createDns({
    servers: [{ host: server.address, port: server.port }],
    timeoutMs,
    totalTimeoutMs: timeoutMs,
    maxCachedAnswers: 0,
    now: () => 0,
  });
  open.push(server, dns);
  return dns;
}

const gatherAll = async (dns: Awaited<ReturnType<typeof connect>>) => ({
  ptr: await gatherPtr("203.0.113.7", dns),
  mx: (await gatherMx([{ domain: "a.example", depth: "hosts" }], dns))[0]?.fact,
  dane: (await gatherDane(["mail.a.example"], dns)).hosts[0]?.fact,
  dnssec: await gatherDnssec("a.example", dns),
});

test("a validating DNS server gives all facts", async () => {
  const dns = await connect(() => ({ authenticated: true }));
  expect(await gatherAll(dns)).toMatchObject({
    ptr: { known: true, value: { confirmed: ["mail.a.example"] } },
    mx: { known: true, value: { hosts: [{ addresses: { value: ["203.0.113.7"] }, alias: { value: null } }] } },
    dane: { known: true, value: { secure: { value: true }, records: [{ usage: 3, problem: null }] } },
    dnssec: { known: true, value: { signed: true, validated: { value: true } } },
  });
});

test.each<[what: string, why: string, behave: Behaviour]>([
  ["is silent", "timeout", { drop: true }],
  ["answers too late", "timeout", { delayMs: 2_000 }],
  ["refuses", "refused", { rcode: 5 }],
  ["fails", "servfail", { rcode: 2 }],
])("all facts are unknown if the DNS server %s: %s", async (_, why, behave) => {
  const dns = await connect(() => behave, 150);
  const unknown = { known: false, why };
  expect(await gatherAll(dns)).toEqual({ ptr: unknown, mx: unknown, dane: unknown, dnssec: unknown });
});

test("truncated answers are queried again over TCP", async () => {
  const dns = await connect(({ transport }) => (transport === "udp" ? { truncate: true } : undefined));
  expect(await gatherPtr("203.0.113.7", dns)).toMatchObject({ value: { confirmed: ["mail.a.example"] } });
});
