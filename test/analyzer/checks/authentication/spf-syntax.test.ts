import { spfSyntax } from "../../../../src/analyzer/checks/authentication/spf-syntax.ts";
import { testCheck } from "../test-check.ts";
import { kindOf, messageOf, sessionOf, spfOf, spfRecordOf } from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };
const read = async (record: string, others = {}) => ({ ...onMessage, ...(await spfOf(record, others)) });
const split = async (...strings: string[]) => ({ ...onMessage, spfRecord: await spfRecordOf({ TXT: [strings] }) });
const faulty = await spfOf("v=spf1 ipv4:203.0.113.7 -all");

testCheck(spfSyntax, [
  {
    when: "modifiers that nobody knows are passed over",
    facts: await read("v=spf1 mx foo=bar -all"),
    says: "Every term in the SPF record for a.example, and in the records that it includes, is valid.",
  },
  {
    when: "a mechanism that does not exist is named, with what was meant",
    facts: { ...onMessage, ...faulty },
    finds: ["invalid-term"],
    says: 'In the SPF record for a.example, "ipv4:203.0.113.7" is invalid: there is no mechanism "ipv4" (did you mean ip4:?). Receivers treat SPF as broken (permerror).',
    fix: "Replace `ipv4:203.0.113.7` with `ip4:203.0.113.7`. Corrected record: `v=spf1 ip4:203.0.113.7 -all`",
  },
  {
    when: "an invalid term in a record that only this sender leads to is named once, with its record",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:%{l}.spf.example -all", { "ann.spf.example": { TXT: ["v=spf1 mmx -all"] } })),
    },
    finds: ["invalid-term"],
    says: 'In the SPF record for ann.spf.example, "mmx" is invalid: there is no mechanism "mmx". Receivers treat SPF as broken (permerror).',
    fix: "Remove or correct the term.",
  },
  {
    when: "a dash that a word processor made stands before all",
    facts: { ...onMessage, ...(await read("v=spf1 mx \xe2\x80\x93all")) },
    finds: ["invalid-term"],
    fix: "Replace `\u2013all` with `-all`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "all lacks a letter",
    facts: { ...onMessage, ...(await read("v=spf1 mx ~al")) },
    finds: ["invalid-term"],
    fix: "Replace `~al` with `~all`. Corrected record: `v=spf1 mx ~all`",
  },
  {
    when: "an address alone becomes a mechanism, and an IPv6 address gets its own",
    facts: await read("v=spf1 192.0.2.1 ip4:2001:db8::1 -all"),
    finds: ["invalid-term", "invalid-term"],
    fix: "Replace `192.0.2.1` with `ip4:192.0.2.1`. Corrected record: `v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 -all`",
  },
  { when: "the same fault is told once", facts: await read("v=spf1 foo foo mx -all"), finds: ["invalid-term"] },
  {
    when: "a term with a sign keeps it",
    facts: await read("v=spf1 mx -ip:192.0.2.1 -all"),
    finds: ["invalid-term"],
    fix: "Replace `-ip:192.0.2.1` with `-ip4:192.0.2.1`. Corrected record: `v=spf1 mx -ip4:192.0.2.1 -all`",
  },
  {
    when: "a prefix length that no address has can only be removed",
    facts: await read("v=spf1 mx ip4:192.0.2.1/33 -all"),
    finds: ["invalid-term"],
    fix: "Remove or correct `ip4:192.0.2.1/33`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "a stop behind the last term spoils it",
    facts: await read("v=spf1 mx -all."),
    finds: ["invalid-term"],
    fix: "Replace `-all.` with `-all`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "an included record is as strict, and its keeper is asked",
    facts: await read("v=spf1 include:b.example -all", { "b.example": { TXT: ["v=spf1 mmx -all"] } }),
    finds: ["invalid-term"],
    says: 'In the SPF record for b.example, "mmx" is invalid: there is no mechanism "mmx". Receivers treat SPF as broken (permerror).',
    fix: "Ask b.example to fix it.",
  },
  {
    when: "a record that a service keeps is told when it harms the message",
    facts: { ...foreign, ...faulty },
    finds: ["invalid-term"],
    fix: "Ask a.example to fix it.",
  },
  {
    when: "a record that a service keeps is left alone when SPF passes all the same",
    facts: { ...foreign, ...faulty, spf: (await spfOf("v=spf1 ip4:203.0.113.7 -all")).spf },
    outcome: "not-applicable",
  },
  {
    when: "a term beyond what is kept of the record is told by SPF's own words",
    facts: {
      ...onMessage,
      spfRecord: (await spfOf("v=spf1 -all")).spfRecord,
      spf: { ...faulty.spf, problem: "In the SPF record for b.example: it cannot be read." },
    },
    finds: ["invalid-term"],
  },
  {
    when: "a lost space at a joint is told as that, once",
    facts: await split("v=spf1 ip4:192.0.2.1", "include:b.example -all"),
    finds: ["joined-terms"],
    says: 'The SPF record for a.example is split into strings without a space between them, which joins two terms into "ip4:192.0.2.1include:b.example".',
    fix: 'Put a space at the end of the first string: `"v=spf1 ip4:192.0.2.1 " "include:b.example -all"`',
  },
  {
    when: "a lost space between two includes makes a name that nobody wrote",
    facts: await split("v=spf1 include:b.example", "include:c.example -all"),
    finds: ["joined-terms"],
  },
  { when: "a space at the joint is enough", facts: await split("v=spf1 ip4:192.0.2.1 ", "mx -all"), finds: [] },
  {
    when: "a joint in the middle of a name is no fault",
    facts: await split("v=spf1 a:mail.a.exam", "ple mx -all"),
    finds: [],
  },
  {
    when: "two redirects are one too many",
    facts: await read("v=spf1 redirect=b.example redirect=c.example"),
    finds: ["repeated-modifier"],
    says: 'The SPF record for a.example has 2 "redirect=" modifiers, so receivers treat SPF as broken (permerror).',
    fix: "Keep one `redirect=`.",
  },
  {
    when: "one of each modifier is right",
    facts: await read("v=spf1 redirect=b.example exp=why.a.example", { "b.example": { TXT: ["v=spf1 -all"] } }),
    finds: [],
  },
  { when: "a domain without a record has another fault", facts: await split("hello"), outcome: "not-applicable" },
  {
    when: "an included record that does not answer may be faulty or not",
    facts: await read("v=spf1 include:b.example -all", { "b.example": "timeout" }),
    outcome: "skipped",
  },
]);
