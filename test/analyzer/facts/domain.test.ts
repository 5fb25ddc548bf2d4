import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherDkimKeys } from "../../../src/analyzer/facts/dkim-keys.ts";
import { gatherDane, gatherDnssec, gatherMtaSts, gatherTlsRpt } from "../../../src/analyzer/facts/domain.ts";
import { broken, troubles, validating } from "./asking.ts";

const soa = { primary: "ns.a.example", serial: 1, minimum: 300 };

test.each<[what: string, TXT: string[], expected: object]>([
  ["no record", [], { records: [], id: null, problem: null }],
  ["one", ["v=STSv1; id=7"], { records: ["v=STSv1; id=7"], id: "7", problem: null }],
  ["a record next to other text", ["hello", "v=STSv1; id=7"], { id: "7", problem: null }],
  ["two", ["v=STSv1; id=7", "v=STSv1; id=8"], { id: null, problem: "there are 2 records" }],
  ["a wrong record", ["v=STSv1"], { records: ["v=STSv1"], id: null, problem: "it has no id=" }],
])("the MTA-STS record is right with %s", async (_, TXT, expected) => {
  const fact = await gatherMtaSts("a.example", createZoneDns({ "_mta-sts.a.example": { TXT } }));
  expect(fact).toMatchObject({ known: true, value: { policy: { known: false, why: "off" }, ...expected } });
});

test.each<[what: string, TXT: string[], expected: object]>([
  ["no record", [], { records: [], rua: [], problem: null }],
  ["one", ["v=TLSRPTv1; rua=mailto:a@a.example"], { rua: ["mailto:a@a.example"], problem: null }],
  [
    "two",
    ["v=TLSRPTv1; rua=mailto:a@a.example", "v=TLSRPTv1; rua=mailto:b@a.example"],
    { problem: "there are 2 records" },
  ],
  ["another version next to it", ["v=TLSRPTv1; rua=mailto:a@a.example", "v=TLSRPTv2;"], { problem: null }],
  ["a record without rua", ["v=TLSRPTv1"], { problem: "it has no rua=" }],
])("the TLS reporting record is right with %s", async (_, TXT, expected) => {
  const fact = await gatherTlsRpt("a.example", createZoneDns({ "_smtp._tls.a.example": { TXT } }));
  expect(fact).toMatchObject({ known: true, value: expected });
});

test("a DKIM key that left DNS is listed only if its selector was configured", async () => {
  const dns = createZoneDns({ "a.example": { SOA: [soa] }, "_domainkey.a.example": {} });
  const gather = (selectors: Record<"configured" | "seen", string[]>) =>
    gatherDkimKeys("a.example", { ...selectors, guesses: { found: [], all: false } }, dns);
  expect(await gather({ configured: [], seen: ["s1"] })).toEqual({ known: true, value: [] });
  expect(await gather({ configured: ["s1"], seen: [] })).toMatchObject({
    known: true,
    value: [{ selector: "s1", source: "configured", records: [] }],
  });
});

const tlsa = (usage: number) => ({ usage, selector: 1, matchingType: 1, certificate: "ab".repeat(32) });
const daneZone: Zone = { "_25._tcp.mx.a.example": { TLSA: [tlsa(3), tlsa(1)] }, "_25._tcp.dead.a.example": "timeout" };
const hosts = ["MX.a.example", "dead.a.example", "bare.a.example"];

test("TLSA records are listed by host, with the reason if one is unusable", async () => {
  const dane = await gatherDane(hosts, validating(createZoneDns(daneZone), "a.example"));
  expect(dane.hosts).toEqual([
    {
      of: "mx.a.example",
      fact: {
        known: true,
        value: {
          secure: { known: true, value: true },
          records: [
            { usage: 3, selector: 1, matching: 1, problem: null },
            { usage: 1, selector: 1, matching: 1, problem: "usage 1 is not valid for SMTP" },
          ],
        },
      },
    },
    { of: "dead.a.example", fact: { known: false, why: "timeout" } },
    { of: "bare.a.example", fact: { known: true, value: { secure: { known: true, value: true }, records: [] } } },
  ]);
});

test("only a validating resolver can say that a host has no TLSA records", async () => {
  const secure = async (dns: Parameters<typeof gatherDane>[1]) => {
    const [row] = (await gatherDane(["mx.a.example"], dns)).hosts;
    return row?.fact.known && row.fact.value.secure;
  };
  const zone = createZoneDns(daneZone);
  expect(await secure(validating(zone))).toEqual({ known: true, value: false });
  expect(await secure(zone)).toEqual({ known: false, why: "off" });
});

test("a thousand hosts need a limited number of DNS queries", async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `mx${index}.a.example`);
  expect((await gatherDane(many, createZoneDns({}))).hosts).toHaveLength(10);
});

const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: "ab" };

test.each<[what: string, zone: Zone, signedZones: string[], isSigned: boolean]>([
  ["a signed domain", { "a.example": { SOA: [soa], DS: [ds] } }, ["a.example"], true],
  ["a name in a signed zone", { "a.example": {} }, ["a.example"], true],
  ["a domain that is not signed", { "a.example": { SOA: [soa] } }, [], false],
])("the DNSSEC status is right for %s", async (_, zone, signedZones, isSigned) => {
  const dns = validating(createZoneDns(zone), ...signedZones);
  expect(await gatherDnssec("a.example", dns)).toEqual({
    known: true,
    value: { domain: "a.example", signed: isSigned, validated: { known: true, value: isSigned }, bogus: false },
  });
});

test("a resolver without validation leaves the validity of signatures unknown", async () => {
  expect(await gatherDnssec("a.example", createZoneDns({ "a.example": { SOA: [soa], DS: [ds] } }))).toMatchObject({
    value: { signed: true, validated: { known: false, why: "off" }, bogus: false },
  });
});

test("a domain that only answers without validation is bogus, and without any answer unknown", async () => {
  const dns = createZoneDns({ "a.example": "servfail", ".": { SOA: [soa] } });
  const unchecked = createZoneDns({ "a.example": { SOA: [soa] } });
  expect(await gatherDnssec("a.example", dns, unchecked)).toMatchObject({
    known: true,
    value: { signed: true, validated: { known: true, value: false }, bogus: true },
  });
  expect(await gatherDnssec("a.example", dns, dns)).toEqual({ known: false, why: "servfail" });
  expect(await gatherDnssec("a.example", dns)).toEqual({ known: false, why: "servfail" });
});

test.each(troubles)("a %s makes every fact unknown, never missing", async (status, why) => {
  const dns = broken(status);
  expect(await gatherMtaSts("a.example", dns)).toEqual({ known: false, why });
  expect(await gatherTlsRpt("a.example", dns)).toEqual({ known: false, why });
  expect(await gatherDnssec("a.example", dns)).toEqual({ known: false, why });
  expect(await gatherDane(["mx.a.example"], dns)).toEqual({
    hosts: [{ of: "mx.a.example", fact: { known: false, why } }],
  });
});
