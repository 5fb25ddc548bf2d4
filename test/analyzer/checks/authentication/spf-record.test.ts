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
    when: "one record among ten texts passes, and is shown",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", ..."123456789"] }) },
    says: "a.example publishes one SPF record: `v=spf1 -all`.",
  },
  {
    when: "texts that are none of SPF do not count",
    facts: { ...onMessage, spfRecord: empty },
    finds: ["missing"],
    says: "a.example publishes no SPF record.",
    fix: "Publish one TXT record at a.example, for example `v=spf1 ip4:203.0.113.7 ~all`. List every server and service (`include:`) that sends for the domain.",
  },
  {
    when: "a record that a service should keep is asked for there",
    facts: { ...foreign, kind: kindOf({ esp: acme }), spfRecord: empty },
    finds: ["missing"],
    fix: "Ask Acme Mail to publish one.",
  },
  {
    when: "a bare domain with a mail host needs one",
    facts: { spfRecord: empty, mx: mxOf() },
    finds: ["missing"],
    fix: "Publish one TXT record at a.example, for example `v=spf1 mx ~all`. List every server and service (`include:`) that sends for the domain.",
  },
  {
    when: "a bare domain without mail needs none",
    facts: { spfRecord: empty, mx: mxOf({ hosts: 0 }) },
    outcome: "not-applicable",
  },
  {
    when: "a bare domain with the null MX needs none here",
    facts: { spfRecord: empty, mx: mxOf({ hosts: 0, nullMx: true }) },
    outcome: "not-applicable",
  },
  {
    when: "whether a bare domain takes mail is not known",
    facts: { spfRecord: empty, mx: [{ of: "a.example", fact: unknown("servfail") }] },
    outcome: "skipped",
  },
  {
    when: "a domain that does not exist has another fault",
    facts: { ...onMessage, spfRecord: empty, mx: mxOf({ exists: false }) },
    outcome: "not-applicable",
  },
  {
    when: "so has one that is written in its own letters",
    facts: {
      ...onMessage,
      spfRecord: { ...empty, domain: "bücher.example" },
      mx: mxOf({ exists: false }).map((row) => ({ ...row, of: "xn--bcher-kva.example" })),
    },
    outcome: "not-applicable",
  },
  ...["orders", "[203.0.113.7]"].map((domain) => ({
    when: `nobody can publish at ${domain}`,
    facts: { ...onMessage, spfRecord: { ...empty, domain } },
    outcome: "not-applicable" as const,
  })),
  {
    when: "hosts need no record for their name when the return path is empty",
    facts: { ...onMessage, session: sessionOf({ mailFrom: "" }), spfRecord: empty },
    outcome: "not-applicable",
  },
  {
    when: "two records are merged, with the milder end",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "v=spf1 mx include:_spf.google.com ~all"] }),
    },
    finds: ["several"],
    says: "a.example publishes 2 SPF records, so receivers treat SPF as broken (permerror).",
    fix: "Delete all but one of the TXT records at a.example that begin with `v=spf1`. Merge them into one: `v=spf1 mx ~all` (left out because it does not point to a valid record: `include:_spf.google.com`)",
  },
  {
    when: "two records of which one cannot be read are not merged",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "v=spf1 ipv4:192.0.2.1 -all"] }) },
    finds: ["several"],
    fix: "Delete all but one of the TXT records at a.example that begin with `v=spf1`.",
  },
  {
    when: "a record without the space behind its version is not seen",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1include:b.example -all") },
    finds: ["not-recognised"],
    says: 'The record at a.example begins with "v=spf1include:b.exam", so receivers do not recognize it as SPF.',
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space. Corrected record: `v=spf1 include:b.example -all`",
  },
  {
    when: "a record in quotation marks is not seen",
    facts: { ...onMessage, spfRecord: await spfRecordOf('"v=spf1 mx -all"') },
    finds: ["not-recognised"],
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "a beginning that hides a mark is shown with it, and one that cannot be mended is not mended",
    facts: { ...onMessage, spfRecord: await spfRecordOf("\u0007v=spf 1 nonsense") },
    finds: ["not-recognised"],
    says: 'The record at a.example begins with "\\u0007v=spf 1 nonsense", so receivers do not recognize it as SPF.',
    fix: "Make the TXT record at a.example begin with `v=spf1` and a space.",
  },
]);
