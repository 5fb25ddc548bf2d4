import { spfDeprecated } from "../../../../src/analyzer/checks/authentication/spf-deprecated.ts";
import { spfEnd } from "../../../../src/analyzer/checks/authentication/spf-end.ts";
import { spfOpenness } from "../../../../src/analyzer/checks/authentication/spf-openness.ts";
import { spfSize } from "../../../../src/analyzer/checks/authentication/spf-size.ts";
import { testCheck } from "../test-check.ts";
import { kindOf, messageOf, sessionOf, spfRecordOf } from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };
const text = (record: string) => ({ TXT: [record] });

testCheck(spfOpenness, [
  {
    when: "passes a record that ends in -all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:192.0.2.1 -all") },
    says: "The SPF record for a.example does not let unauthorized senders pass.",
  },
  {
    when: "finds +all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx +all") },
    finds: ["anyone-passes"],
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed. For example: `v=spf1 ip4:203.0.113.7 mx ~all`",
  },
  {
    when: "finds all without a qualifier",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:192.0.2.1 all") },
    finds: ["anyone-passes"],
    says: 'Any computer on the internet passes SPF for a.example because of "all".',
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed. For example: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 ~all`",
  },
  {
    when: "does not suggest a record that would reject all mail",
    facts: { spfRecord: await spfRecordOf("v=spf1 +all") },
    finds: ["anyone-passes"],
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed.",
  },
  {
    when: "finds an open include, also in a service's record",
    facts: {
      ...foreign,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": text("v=spf1 ip4:0.0.0.0/0 -all") }),
    },
    finds: ["anyone-passes"],
    says: 'Any computer on the internet passes SPF for a.example because of "include:b.example".',
    fix: "Ask a.example to restrict it.",
  },
  {
    when: "finds ranges of sixteen million addresses",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:10.0.0.0/8 ip6:2001:db8::/20 -all") },
    finds: ["huge-range", "huge-range"],
    says: '"ip4:10.0.0.0/8" allows 16,777,216 addresses to send for a.example.',
    fix: "List only the addresses that you use, for example `ip4:203.0.113.7`.",
  },
  {
    when: "passes the large ranges of a provider",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", {
        "b.example": text("v=spf1 ip4:40.92.0.0/14 -all"),
      }),
    },
    finds: [],
  },
  {
    when: "ignores terms after all, and terms that reject",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 -ip4:10.0.0.0/8 -all ip4:10.0.0.0/8") },
    finds: [],
  },
]);

testCheck(spfEnd, [
  {
    when: "passes a record that ends in ~all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx ~all exp=why.a.example") },
    says: 'The SPF record for a.example ends with "~all".',
  },
  {
    when: "passes a record that ends in a redirect",
    facts: { spfRecord: await spfRecordOf("v=spf1 redirect=b.example") },
    finds: [],
  },
  {
    when: "leaves an unreadable term to spf-syntax",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx -al") },
    outcome: "not-applicable",
  },
  {
    when: "finds a record without all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx") },
    finds: ["no-verdict"],
    says: 'The SPF record for a.example has no "all" term, so servers that it does not list get a neutral result instead of a fail.',
    fix: "End it with `~all`, or with `-all` once every sender is listed: `v=spf1 mx ~all`.",
  },
  {
    when: "finds ?all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx ?all") },
    finds: ["no-verdict"],
    says: 'The SPF record for a.example has "?all", so servers that it does not list get a neutral result instead of a fail.',
  },
  {
    when: "finds terms after all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 -all include:x.example") },
    finds: ["dead-terms"],
    says: 'Receivers ignore "include:x.example" in the SPF record for a.example because of "all".',
    fix: "Remove the ignored terms, or move them before `all`: `v=spf1 include:x.example -all`.",
  },
  {
    when: "finds a redirect next to all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx redirect=b.example -all a") },
    finds: ["dead-terms"],
    says: 'Receivers ignore "a" and "redirect=b.example" in the SPF record for a.example because of "all".',
    fix: "Remove the ignored terms, or move them before `all`: `v=spf1 mx a -all`.",
  },
  {
    when: "does not apply to a service's record",
    facts: { ...foreign, spfRecord: await spfRecordOf("v=spf1 mx") },
    outcome: "not-applicable",
  },
  {
    when: "judges a workspace's own domain for any sender",
    facts: { ...foreign, own: { domains: ["a.example"] }, spfRecord: await spfRecordOf("v=spf1 mx") },
    finds: ["no-verdict"],
  },
]);

testCheck(spfDeprecated, [
  {
    when: "passes a record without obsolete parts",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": text("v=spf1 ptr -all") }),
    },
    says: "The SPF record for a.example uses no retired features.",
  },
  {
    when: "suggests the known IP instead of ptr",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ptr -all") },
    finds: ["ptr"],
    says: 'The SPF record for a.example uses "ptr", which is slow and deprecated.',
    fix: "Replace it with `ip4:` or `a:` terms: `v=spf1 ip4:203.0.113.7 -all`.",
  },
  {
    when: "suggests no IP for a domain without a message",
    facts: { spfRecord: await spfRecordOf("v=spf1 ptr -all") },
    finds: ["ptr"],
    fix: "Replace it with `ip4:` or `a:` terms.",
  },
  {
    when: "finds Sender ID",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "spf2.0/pra mx -all"] }) },
    finds: ["old-type"],
    says: "a.example still publishes a Sender ID record (`spf2.0`), which receivers ignore.",
  },
]);

testCheck(spfSize, [
  {
    when: "passes a short DNS answer",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", "x".repeat(200)] }) },
    says: "The TXT response for a.example is 264 bytes, which fits in a plain DNS packet.",
  },
  {
    when: "finds a DNS answer over 512 bytes",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", ["x".repeat(250), "y".repeat(250)]] }) },
    finds: ["large"],
    says: "The TXT response for a.example is 565 bytes. Some resolvers fail on responses over 512 bytes.",
  },
]);
