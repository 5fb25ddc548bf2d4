import { spfRecord } from "../../../../src/analyzer/checks/authentication/spf-record.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { MxFact } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { testCheck } from "../test-check.ts";
import { acme, kindOf, messageOf, sessionOf, spfRecordOf } from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };

function mxOf({ exists = true, hosts = 1, nullMx = false, domain = "a.example" } = {}) {
  const host = { name: "mx.a.example", preference: 10, alias: known(null), literal: false, private: false };
  const value: MxFact = {
    domain,
    exists,
    soa: known(true),
    wildcard: known(false),
    nullMx,
    hosts: Array.from({ length: hosts }, () => ({ ...host, addresses: known([]) })),
    hostsLeftOut: 0,
    addresses: null,
  };
  return [{ of: domain, fact: known(value) }];
}

const empty = await spfRecordOf({ TXT: ["google-site-verification=1"] });

testCheck(spfRecord, [
  {
    when: "passes one record among ten texts, and shows it",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", ..."123456789"] }) },
    says: "a.example publishes one SPF record: `v=spf1 -all`.",
  },
  {
    when: "ignores texts that are not SPF records",
    facts: { ...onMessage, spfRecord: empty },
    finds: ["missing"],
    says: "a.example publishes no SPF record.",
    fix: "Publish one TXT record at a.example, for example `v=spf1 ip4:203.0.113.7 ~all`. List every server and service (`include:`) that sends for the domain.",
  },
  {
    when: "asks the service to publish a record for its own domain",
    facts: { ...foreign, kind: kindOf({ esp: acme }), spfRecord: empty },
    finds: ["missing"],
    fix: "Ask Acme Mail to publish one.",
  },
  {
    when: "finds a domain with a mail host and without a record",
    facts: { spfRecord: empty, mx: mxOf() },
    finds: ["missing"],
    fix: "Publish one TXT record at a.example, for example `v=spf1 mx ~all`. List every server and service (`include:`) that sends for the domain.",
  },
  {
    when: "does not apply to a domain without mail",
    facts: { spfRecord: empty, mx: mxOf({ hosts: 0 }) },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a domain with a null MX",
    facts: { spfRecord: empty, mx: mxOf({ hosts: 0, nullMx: true }) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while it is unknown whether the domain receives mail",
    facts: { spfRecord: empty, mx: [{ of: "a.example", fact: unknown("servfail") }] },
    outcome: "skipped",
  },
  {
    when: "does not apply to a domain that does not exist",
    facts: { ...onMessage, spfRecord: empty, mx: mxOf({ exists: false }) },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a nonexistent domain in its own script",
    facts: {
      ...onMessage,
      spfRecord: { ...empty, domain: "bücher.example" },
      mx: mxOf({ exists: false }).map((row) => ({ ...row, of: "xn--bcher-kva.example" })),
    },
    outcome: "not-applicable",
  },
  ...["orders", "[203.0.113.7]"].map((domain) => ({
    when: `does not apply to ${domain}, which cannot have a record`,
    facts: { ...onMessage, spfRecord: { ...empty, domain } },
    outcome: "not-applicable" as const,
  })),
  {
    when: "does not apply to a HELO name if the return path is empty",
    facts: { ...onMessage, session: sessionOf({ mailFrom: "" }), spfRecord: empty },
    outcome: "not-applicable",
  },
  {
    when: "suggests a merged record for two records, with the milder all",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "v=spf1 mx include:_spf.google.com ~all"] }),
    },
    finds: ["several"],
    says: "a.example publishes 2 SPF records, so receivers treat SPF as broken (permerror).",
    fix: "Delete all but one of the TXT records at a.example that begin with `v=spf1`. Merge them into one: `v=spf1 mx ~all` (left out because it does not point to a valid record: `include:_spf.google.com`)",
  },
  {
    when: "suggests no merged record if one of two is unreadable",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "v=spf1 ipv4:192.0.2.1 -all"] }) },
    finds: ["several"],
    fix: "Delete all but one of the TXT records at a.example that begin with `v=spf1`.",
  },
  {
    when: "finds a record without a space after its version",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1include:b.example -all") },
    finds: ["not-recognised"],
    says: 'The record at a.example begins with "v=spf1include:b.exam", so receivers do not recognize it as SPF.',
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space. Corrected record: `v=spf1 include:b.example -all`",
  },
  {
    when: "finds a record in quotation marks",
    facts: { ...onMessage, spfRecord: await spfRecordOf('"v=spf1 mx -all"') },
    finds: ["not-recognised"],
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "shows hidden characters in a record's version, and corrects it if possible",
    facts: { ...onMessage, spfRecord: await spfRecordOf("\u0007v=spf 1 nonsense") },
    finds: ["not-recognised"],
    says: 'The record at a.example begins with "\\u0007v=spf 1 nonsense", so receivers do not recognize it as SPF.',
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space.",
  },
]);
