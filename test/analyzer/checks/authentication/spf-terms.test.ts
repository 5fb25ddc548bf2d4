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
    when: "a record that ends in -all is closed",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:192.0.2.1 -all") },
    says: "The SPF record for a.example does not let unauthorized senders pass.",
  },
  {
    when: "+all lets anybody pass",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx +all") },
    finds: ["anyone-passes"],
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed. For example: `v=spf1 ip4:203.0.113.7 mx ~all`",
  },
  {
    when: "a bare all lets anybody pass",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:192.0.2.1 all") },
    finds: ["anyone-passes"],
    says: 'Any computer on the internet passes SPF for a.example because of "all".',
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed. For example: `v=spf1 ip4:203.0.113.7 ip4:192.0.2.1 ~all`",
  },
  {
    when: "a record that would then refuse all mail is not offered",
    facts: { spfRecord: await spfRecordOf("v=spf1 +all") },
    finds: ["anyone-passes"],
    fix: "List the servers that send for a.example, and end the record with `~all`, or with `-all` once every server is listed.",
  },
  {
    when: "so does an include that is open, in the record of a service too",
    facts: {
      ...foreign,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": text("v=spf1 ip4:0.0.0.0/0 -all") }),
    },
    finds: ["anyone-passes"],
    says: 'Any computer on the internet passes SPF for a.example because of "include:b.example".',
    fix: "Ask a.example to restrict it.",
  },
  {
    when: "sixteen million addresses are more than anybody has",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ip4:10.0.0.0/8 ip6:2001:db8::/20 -all") },
    finds: ["huge-range", "huge-range"],
    says: '"ip4:10.0.0.0/8" allows 16,777,216 addresses to send for a.example.',
    fix: "List only the addresses that you use, for example `ip4:203.0.113.7`.",
  },
  {
    when: "the ranges of a provider are its own affair",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", {
        "b.example": text("v=spf1 ip4:40.92.0.0/14 -all"),
      }),
    },
    finds: [],
  },
  {
    when: "what is not read, and what refuses, opens nothing",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 -ip4:10.0.0.0/8 -all ip4:10.0.0.0/8") },
    finds: [],
  },
]);

testCheck(spfEnd, [
  {
    when: "a record may end in ~all",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx ~all exp=why.a.example") },
    says: 'The SPF record for a.example ends with "~all".',
  },
  { when: "a redirect is an end too", facts: { spfRecord: await spfRecordOf("v=spf1 redirect=b.example") }, finds: [] },
  {
    when: "what cannot be read may be the end, and spf-syntax tells of it",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx -al") },
    outcome: "not-applicable",
  },
  {
    when: "a record without an end says nothing of others",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx") },
    finds: ["no-verdict"],
    says: 'The SPF record for a.example has no "all" term, so servers that it does not list get a neutral result instead of a fail.',
    fix: "End it with `~all`, or with `-all` once every sender is listed: `v=spf1 mx ~all`.",
  },
  {
    when: "?all says nothing either",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx ?all") },
    finds: ["no-verdict"],
    says: 'The SPF record for a.example has "?all", so servers that it does not list get a neutral result instead of a fail.',
  },
  {
    when: "what stands behind all is never read",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 -all include:x.example") },
    finds: ["dead-terms"],
    says: 'Receivers ignore "include:x.example" in the SPF record for a.example because of "all".',
    fix: "Remove the ignored terms, or move them before `all`: `v=spf1 include:x.example -all`.",
  },
  {
    when: "a redirect beside all is not followed",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 mx redirect=b.example -all a") },
    finds: ["dead-terms"],
    says: 'Receivers ignore "a" and "redirect=b.example" in the SPF record for a.example because of "all".',
    fix: "Remove the ignored terms, or move them before `all`: `v=spf1 mx a -all`.",
  },
  {
    when: "the record of a service gets no advice",
    facts: { ...foreign, spfRecord: await spfRecordOf("v=spf1 mx") },
    outcome: "not-applicable",
  },
  {
    when: "a domain of the workspace is its own, whoever wrote",
    facts: { ...foreign, own: { domains: ["a.example"] }, spfRecord: await spfRecordOf("v=spf1 mx") },
    finds: ["no-verdict"],
  },
]);

testCheck(spfDeprecated, [
  {
    when: "a record of today uses none of it",
    facts: {
      ...onMessage,
      spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": text("v=spf1 ptr -all") }),
    },
    says: "The SPF record for a.example uses no retired features.",
  },
  {
    when: "ptr is replaced by the address that is known",
    facts: { ...onMessage, spfRecord: await spfRecordOf("v=spf1 ptr -all") },
    finds: ["ptr"],
    says: 'The SPF record for a.example uses "ptr", which is slow and deprecated.',
    fix: "Replace it with `ip4:` or `a:` terms: `v=spf1 ip4:203.0.113.7 -all`.",
  },
  {
    when: "on a bare domain nothing is known to replace it by",
    facts: { spfRecord: await spfRecordOf("v=spf1 ptr -all") },
    finds: ["ptr"],
    fix: "Replace it with `ip4:` or `a:` terms.",
  },
  {
    when: "Sender ID is forgotten",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 mx -all", "spf2.0/pra mx -all"] }) },
    finds: ["old-type"],
    says: "a.example still publishes a Sender ID record (`spf2.0`), which receivers ignore.",
  },
]);

testCheck(spfSize, [
  {
    when: "a short answer fits",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", "x".repeat(200)] }) },
    says: "The TXT response for a.example is 264 bytes, which fits in a plain DNS packet.",
  },
  {
    when: "an answer over 512 bytes is large",
    facts: { ...onMessage, spfRecord: await spfRecordOf({ TXT: ["v=spf1 -all", ["x".repeat(250), "y".repeat(250)]] }) },
    finds: ["large"],
    says: "The TXT response for a.example is 565 bytes. Some resolvers fail on responses over 512 bytes.",
  },
]);
