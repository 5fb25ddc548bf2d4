import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { toProbeLabel } from "../../../src/analyzer/facts/mx.ts";
import { gatherZone } from "../../../src/analyzer/facts/zone.ts";
import { broken, counting, troubles } from "./asking.ts";

const gather = (zone: Zone, domain = "a.example") => gatherZone(domain, ["s1", "s2"], createZoneDns(zone));
const label = toProbeLabel("a.example");

test("the facts contain name servers with addresses, and TTLs by name", async () => {
  const fact = await gather({
    "a.example": { NS: ["ns2.a.example", "NS1.host.example"], TXT: ["v=spf1 -all"], ttlSeconds: 60 },
    "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"], ttlSeconds: 3600 },
    "s1._domainkey.a.example": { TXT: ["v=DKIM1; p="], ttlSeconds: 7200 },
    "ns1.host.example": { A: ["203.0.113.53"] },
    "ns2.a.example": "timeout",
  });
  expect(fact).toEqual({
    known: true,
    value: {
      domain: "a.example",
      zone: "a.example",
      ns: [
        {
          name: "ns1.host.example",
          addresses: { known: true, value: ["203.0.113.53"] },
          authoritative: { known: false, why: "off" },
        },
        {
          name: "ns2.a.example",
          addresses: { known: false, why: "timeout" },
          authoritative: { known: false, why: "off" },
        },
      ],
      wildcards: [
        { of: `${label}._domainkey.a.example`, fact: { known: true, value: null } },
        { of: `_dmarc.${label}.a.example`, fact: { known: true, value: null } },
      ],
      ttls: [
        { of: "a.example", fact: { known: true, value: 60 } },
        { of: "_dmarc.a.example", fact: { known: true, value: 3600 } },
        { of: "s1._domainkey.a.example", fact: { known: true, value: 7200 } },
        { of: "s2._domainkey.a.example", fact: { known: true, value: null } },
      ],
    },
  });
});

test("a wildcard that answers for policy names is reported with its text, unlike one with only addresses", async () => {
  const NS = ["ns1.host.example"];
  expect(await gather({ "a.example": { NS }, "*.a.example": { TXT: ["v=spf1 -all"] } })).toMatchObject({
    value: { wildcards: [{ fact: { value: "v=spf1 -all" } }, { fact: { value: "v=spf1 -all" } }] },
  });
  expect(await gather({ "a.example": { NS }, "*.a.example": { A: ["203.0.113.1"] } })).toMatchObject({
    value: { wildcards: [{ fact: { value: null } }, { fact: { value: null } }] },
  });
});

test("a subdomain is served by its parent zone", async () => {
  const zone = { "a.example": { NS: ["ns1.host.example"] }, "news.a.example": { A: ["203.0.113.1"] } };
  expect(await gather(zone, "news.a.example")).toMatchObject({
    value: { zone: "a.example", ns: [{ name: "ns1.host.example" }] },
  });
});

test("names without an answer give unknown rows", async () => {
  const zone = { "a.example": { NS: ["ns1.host.example"] }, "_dmarc.a.example": "servfail" } as const;
  expect(await gather(zone)).toMatchObject({
    value: { ttls: [{ fact: { known: true } }, { fact: { known: false, why: "servfail" } }, {}, {}] },
  });
});

test.each(troubles)("a %s makes the zone unknown, not a zone without name servers", async (status, why) => {
  expect(await gatherZone("a.example", [], broken(status))).toEqual({ known: false, why });
});

test("a domain that does not exist has no name servers", async () => {
  expect(await gather({})).toMatchObject({ known: true, value: { ns: [] } });
});

test("a name of a hundred labels and a thousand selectors needs a limited number of queries", async () => {
  const deep = counting(createZoneDns({}));
  expect(await gatherZone("x.".repeat(100).concat("example"), [], deep)).toEqual({ known: false, why: "budget" });
  expect(deep.asked.length).toBeLessThan(10);
  const wide = counting(createZoneDns({ "a.example": { NS: ["ns1.host.example"] } }));
  await gatherZone(
    "a.example",
    Array.from({ length: 1_000 }, (_, index) => `s${index}`),
    wide,
  );
  expect(wide.asked.length).toBeLessThan(20);
});
