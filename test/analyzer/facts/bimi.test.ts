import { describe, expect, test } from "vitest";
import type { BimiWeakness } from "../../../src/analyzer/checks/authentication-facts.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherBimi, gatherDomainBimi } from "../../../src/analyzer/facts/bimi.ts";
import { gatherDmarc } from "../../../src/analyzer/facts/dmarc.ts";
import { type Given, judgeMessage, signature, toZone } from "./dmarc-world.ts";

const record = { TXT: ["v=BIMI1; l=https://a.example/logo.svg"] };
const other = { TXT: ["v=BIMI1; l=https://a.example/other.svg"] };
const signed = { signatures: [signature("pass", "a.example", { headers: ["from", "bimi-selector"] })] };

const gather = async (zone: Zone, given: Given, policies: Parameters<typeof toZone>[0] = {}) => {
  const dns = createZoneDns({ ...toZone({ "a.example": "p=reject", ...policies }), ...zone });
  const judged = await judgeMessage({ ...signed, ...given }, dns);
  const bimi = await gatherBimi(judged, dns);
  if (!bimi.known) throw new Error(`unknown: ${bimi.why}`);
  return bimi.value;
};

describe("a BIMI logo is found", () => {
  test("a BIMI logo is found at the author domain", async () => {
    expect(await gather({ "default._bimi.a.example": record }, { from: "a.example" })).toEqual({
      domain: "a.example",
      result: "pass",
      says: null,
      name: "default._bimi.a.example",
      records: record.TXT,
      l: "https://a.example/logo.svg",
      a: null,
      declined: false,
      avp: null,
      lps: [],
      weakness: null,
      logo: { known: false, why: "off" },
      certificate: { known: false, why: "off" },
    });
  });

  test("a BIMI logo is found at the organizational domain if the author domain has none", async () => {
    const zone = { "default._bimi.a.example": record };
    expect(await gather(zone, { from: "news.a.example" })).toMatchObject({ result: "pass", domain: "a.example" });
  });

  test("a BIMI logo is found next to other TXT records", async () => {
    const zone = { "default._bimi.a.example": { TXT: ["verification=1", ...record.TXT] } };
    expect(await gather(zone, { from: "a.example" })).toMatchObject({ result: "pass" });
  });
});

describe("the BIMI selector", () => {
  const zone = { "default._bimi.a.example": record, "spring._bimi.a.example": other };
  const headers = (...fields: string[]) => `${["From: a@a.example", ...fields].join("\r\n")}\r\n\r\n`;

  test("the BIMI selector of a signed header is used", async () => {
    const given = { headers: headers("BIMI-Selector: v=BIMI1; s=spring") };
    expect(await gather(zone, given)).toMatchObject({ name: "spring._bimi.a.example" });
  });

  test("the BIMI selector of an unsigned header is ignored", async () => {
    const given = {
      headers: headers("BIMI-Selector: v=BIMI1; s=spring"),
      signatures: [signature("pass", "a.example")],
    };
    expect(await gather(zone, given)).toMatchObject({ name: "default._bimi.a.example" });
  });

  test("the BIMI selector without a record does not fall back to another", async () => {
    const given = { headers: headers("BIMI-Selector: v=BIMI1; s=summer") };
    expect(await gather(zone, given)).toMatchObject({ result: "none", name: "summer._bimi.a.example" });
  });

  test.each([
    ["two headers", ["BIMI-Selector: v=BIMI1; s=spring", "BIMI-Selector: v=BIMI1; s=spring"]],
    ["no version", ["BIMI-Selector: s=spring"]],
    ["the version last", ["BIMI-Selector: s=spring; v=BIMI1"]],
    ["no selector", ["BIMI-Selector: v=BIMI1"]],
    ["a NUL", ["BIMI-Selector: v=BIMI1; s=spring\0"]],
  ])("the BIMI selector with %s is a failure", async (_, fields) => {
    expect(await gather(zone, { headers: headers(...fields) })).toMatchObject({ result: "fail", l: null });
  });
});

describe("no BIMI logo is looked up", () => {
  const zone = { "default._bimi.a.example": record };

  test.each<[string, Given, Parameters<typeof toZone>[0]]>([
    ["without a DMARC pass", { from: "a.example", signatures: [] }, {}],
    ["without a DMARC record", { from: "b.example" }, {}],
    ["with several addresses", { headers: "From: a@a.example, b@a.example\r\n\r\n" }, {}],
    ["with two From fields", { headers: "From: a@a.example\r\nFrom: a@a.example\r\n\r\n" }, {}],
    [
      "under an unsigned end of the body",
      { from: "a.example", signatures: [signature("pass", "a.example", { bodyLength: 5 })] },
      {},
    ],
  ])("no BIMI logo is looked up %s", async (_, given, policies) => {
    expect(await gather(zone, given, policies)).toMatchObject({ result: "skipped", domain: null, l: null });
  });
});

describe("a DMARC policy that is too weak for BIMI", () => {
  const zone = { "default._bimi.a.example": record };

  test.each<[string, string, Parameters<typeof toZone>[0], Partial<BimiWeakness>]>([
    ["p=none", "a.example", { "a.example": "p=none" }, { reason: "none" }],
    ["sp=none", "a.example", { "a.example": "p=reject; sp=none" }, { reason: "subdomains" }],
    ["t=y", "a.example", { "a.example": "p=quarantine; t=y" }, { reason: "testing" }],
    [
      "p=none of the organization",
      "n.a.example",
      { "n.a.example": "p=reject", "a.example": "p=none" },
      { reason: "none", at: "a.example" },
    ],
  ])(
    "a DMARC policy that is too weak for BIMI is reported together with the record: %s",
    async (_, from, policies, weakness) => {
      const signatures = [signature("pass", from)];
      expect(await gather(zone, { from, signatures }, policies)).toMatchObject({
        result: "skipped",
        domain: "a.example",
        l: "https://a.example/logo.svg",
        weakness,
      });
    },
  );

  test("a weak DMARC policy without a BIMI record has no BIMI result", async () => {
    expect(await gather({}, { from: "a.example" }, { "a.example": "p=none" })).toMatchObject({
      result: "none",
      weakness: { at: "a.example", reason: "none" },
    });
  });
});

describe("the BIMI record", () => {
  test.each([
    ["that declines a logo", ["v=BIMI1; l=; a="], "declined"],
    ["that is published twice", [...record.TXT, ...other.TXT], "fail"],
    ["in lowercase letters", ["v=bimi1; l=https://a.example/logo.svg"], "fail"],
    ["without TLS", ["v=BIMI1; l=http://a.example/logo.svg"], "fail"],
    ["of another standard", ["v=spf1 -all"], "none"],
  ])("a BIMI record %s has the right result", async (_, texts, result) => {
    const zone = { "default._bimi.a.example": { TXT: texts } };
    expect(await gather(zone, { from: "a.example" })).toMatchObject({ result });
  });

  test("the BIMI record without a DNS answer is a temporary error", async () => {
    const zone = { "default._bimi.a.example": "timeout" } as const;
    expect(await gather(zone, { from: "a.example" })).toMatchObject({ result: "temperror" });
  });

  test("the BIMI record of a domain without a message is found under any policy, and the policy is reported", async () => {
    const dns = createZoneDns({ ...toZone({ "a.example": "p=none" }), "default._bimi.a.example": record });
    const dmarc = await gatherDmarc("a.example", dns);
    if (!dmarc.known) throw new Error(dmarc.why);
    expect(await gatherDomainBimi(dmarc.value, dns)).toMatchObject({
      value: { result: "skipped", l: "https://a.example/logo.svg", weakness: { reason: "none" } },
    });
  });
});
