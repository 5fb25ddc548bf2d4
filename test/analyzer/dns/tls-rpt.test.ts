import { expect, test } from "vitest";
import { isTlsRptRecord, parseTlsRpt } from "../../../src/analyzer/dns/tls-rpt.ts";

test.each([
  ["v=TLSRPTv1; rua=mailto:tls@a.example", ["mailto:tls@a.example"]],
  ["v=TLSRPTv1;rua=https://reports.example/v1/tls?x=y;", ["https://reports.example/v1/tls?x=y"]],
  ["v=TLSRPTv1 ; rua=mailto:a@a.example , https://b.example/ ; ext=1", ["mailto:a@a.example", "https://b.example/"]],
])("the TLS reporting record %s asks for reports", (text, rua) => {
  expect(parseTlsRpt(text)).toEqual({ ok: true, record: { rua, repeated: [] } });
});

test.each([
  ["v=TLSRPTv1", "it has no rua="],
  ["v=TLSRPTv1; ruf=mailto:a@a.example", "it has no rua="],
  ["v=tlsrptv1; rua=mailto:a@a.example", 'it does not begin with "v=TLSRPTv1;"'],
  ["v=TLSRPTv1 rua=mailto:a@a.example", 'it does not begin with "v=TLSRPTv1;"'],
  ["v=TLSRPTv1; rua=a@a.example", "rua= has a@a.example, which is neither mailto: nor https:"],
  ["v=TLSRPTv1; rua=http://a.example", "rua= has http://a.example, which is neither mailto: nor https:"],
  ["v=TLSRPTv1; rua=mailto:a", "rua= has mailto:a, which is neither mailto: nor https:"],
  ["v=TLSRPTv1; rua=,", "the value of rua= cannot be read"],
  ["v=TLSRPTv1; rua=mailto:a@a.example mailto:b@a.example", "the value of rua= cannot be read"],
])("the TLS reporting record %s is rejected: %s", (text, problem) => {
  expect(parseTlsRpt(text)).toEqual({ ok: false, problem });
});

test("the first of repeated fields counts, and the repetition is reported", () => {
  const reading = parseTlsRpt("v=TLSRPTv1; rua=mailto:a@a.example; rua=mailto:b@a.example");
  expect(reading).toEqual({ ok: true, record: { rua: ["mailto:a@a.example"], repeated: ["rua"] } });
});

test("a misspelled record is recognized", () => {
  expect(isTlsRptRecord("v=TLSRPT1")).toBe(true);
  expect(isTlsRptRecord("v=DMARC1")).toBe(false);
});
