import { describe, expect, test } from "vitest";
import { isBimiNearMiss, isBimiRecord, isBimiSelector, parseBimiRecord } from "../../../src/analyzer/dns/bimi.ts";

const logo = "l=https://a.example/logo.svg";

describe("a BIMI record", () => {
  test("a BIMI record contains the logo, certificate, preference, and prefixes", () => {
    const text = `v=BIMI1; ${logo}; a=https://a.example/c.pem; avp=brand; lps=news, shop`;
    expect(parseBimiRecord(text)).toEqual({
      ok: true,
      l: "https://a.example/logo.svg",
      a: "https://a.example/c.pem",
      declined: false,
      avp: "brand",
      lps: ["news", "shop"],
      stray: [],
    });
  });

  test.each(["v=BIMI1; l=", "v=BIMI1; l=; a=;"])("a BIMI record declines a logo with %j", (text) => {
    expect(parseBimiRecord(text)).toMatchObject({ ok: true, declined: true, l: null, a: null, stray: [] });
  });

  test("a BIMI record that declines a logo lists its stray tags", () => {
    expect(parseBimiRecord("v=BIMI1; l=; a=; junk=1; avp=brand")).toMatchObject({ stray: ["junk=1"] });
  });

  test.each([
    ["no logo", "v=BIMI1; a=https://a.example/c.pem"],
    ["a certificate with a declined logo", "v=BIMI1; l=; a=https://a.example/c.pem"],
    ["a logo without TLS", "v=BIMI1; l=http://a.example/logo.svg"],
    ["a certificate without TLS", `v=BIMI1; ${logo}; a=http://a.example/c.pem`],
    ["an address in the record", "v=BIMI1; l=data:image/svg+xml,x"],
    ["a host of one label", "v=BIMI1; l=https://localhost/logo.svg"],
    ["two logos", `v=BIMI1; ${logo},https://b.example/logo.svg`],
    ["a repeated tag", `v=BIMI1; ${logo}; ${logo}`],
    ["no tag list", `v=BIMI1; ${logo}; hello`],
    ["a capital L, which must not be corrected", "v=BIMI1; L=https://a.example/logo.svg"],
  ])("a BIMI record is unusable with %s", (_, text) => {
    expect(parseBimiRecord(text)).toMatchObject({ ok: false });
  });
});

test.each([
  ["v=BIMI1; l=", true, false],
  ["v=BIMI1", true, false],
  ["v=bimi1; l=", false, true],
  ["v=BIMI2; l=", false, true],
  ['"v=BIMI1; l="', false, true],
  ["v=spf1 -all", false, false],
])("%j is a BIMI record: %s, a near miss: %s", (text, isRecord, isNearMiss) => {
  expect([isBimiRecord(text), isBimiNearMiss(text)]).toEqual([isRecord, isNearMiss]);
});

test.each([
  ["brand", true],
  ["spring.brand-2", true],
  ["a..b", false],
  ["-a", false],
  ["a_b", false],
  ["a\0b", false],
  ["", false],
  ["x".repeat(101), false],
])("%j is a valid selector: %s", (text, expected) => {
  expect(isBimiSelector(text)).toBe(expected);
});
