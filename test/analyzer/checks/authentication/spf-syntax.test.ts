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
    when: "passes unknown modifiers",
    facts: await read("v=spf1 mx foo=bar -all"),
    says: "Every term in the SPF record for a.example, and in the records that it includes, is valid.",
  },
  {
    when: "finds an unknown mechanism, and suggests the intended one",
    facts: { ...onMessage, ...faulty },
    finds: ["invalid-term"],
    says: 'In the SPF record for a.example, "ipv4:203.0.113.7" is invalid: there is no mechanism "ipv4" (did you mean ip4:?). Receivers treat SPF as broken (permerror).',
    fix: "Replace `ipv4:203.0.113.7` with `ip4:203.0.113.7`. Corrected record: `v=spf1 ip4:203.0.113.7 -all`",
  },
  {
    when: "finds an invalid term in a record that depends on the sender, once",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:%{l}.spf.example -all", { "ann.spf.example": { TXT: ["v=spf1 mmx -all"] } })),
    },
    finds: ["invalid-term"],
    says: 'In the SPF record for ann.spf.example, "mmx" is invalid: there is no mechanism "mmx". Receivers treat SPF as broken (permerror).',
    fix: "Remove or correct the term.",
  },
  {
    when: "finds a typographic dash before all",
    facts: { ...onMessage, ...(await read("v=spf1 mx \xe2\x80\x93all")) },
    finds: ["invalid-term"],
    fix: "Replace `\u2013all` with `-all`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "finds a misspelled all",
    facts: { ...onMessage, ...(await read("v=spf1 mx ~al")) },
    finds: ["invalid-term"],
    fix: "Replace `~al` with `~all`. Corrected record: `v=spf1 mx ~all`",
  },
  {
    when: "finds bare IP addresses, and suggests the mechanism for each family",
    facts: await read("v=spf1 192.0.2.1 ip4:2001:db8::1 -all"),
    finds: ["invalid-term", "invalid-term"],
    fix: "Replace `192.0.2.1` with `ip4:192.0.2.1`. Corrected record: `v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 -all`",
  },
  { when: "finds the same error only once", facts: await read("v=spf1 foo foo mx -all"), finds: ["invalid-term"] },
  {
    when: "keeps the qualifier of an invalid term",
    facts: await read("v=spf1 mx -ip:192.0.2.1 -all"),
    finds: ["invalid-term"],
    fix: "Replace `-ip:192.0.2.1` with `-ip4:192.0.2.1`. Corrected record: `v=spf1 mx -ip4:192.0.2.1 -all`",
  },
  {
    when: "suggests to remove a term with an impossible prefix length",
    facts: await read("v=spf1 mx ip4:192.0.2.1/33 -all"),
    finds: ["invalid-term"],
    fix: "Remove or correct `ip4:192.0.2.1/33`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "finds a period after the last term",
    facts: await read("v=spf1 mx -all."),
    finds: ["invalid-term"],
    fix: "Replace `-all.` with `-all`. Corrected record: `v=spf1 mx -all`",
  },
  {
    when: "finds an error in an included record, and names its owner",
    facts: await read("v=spf1 include:b.example -all", { "b.example": { TXT: ["v=spf1 mmx -all"] } }),
    finds: ["invalid-term"],
    says: 'In the SPF record for b.example, "mmx" is invalid: there is no mechanism "mmx". Receivers treat SPF as broken (permerror).',
    fix: "Ask b.example to fix it.",
  },
  {
    when: "finds an error in a service's record that affects the message",
    facts: { ...foreign, ...faulty },
    finds: ["invalid-term"],
    fix: "Ask a.example to fix it.",
  },
  {
    when: "does not apply to a service's record if SPF passes anyway",
    facts: { ...foreign, ...faulty, spf: (await spfOf("v=spf1 ip4:203.0.113.7 -all")).spf },
    outcome: "not-applicable",
  },
  {
    when: "finds an error beyond the stored part of the record by the SPF error",
    facts: {
      ...onMessage,
      spfRecord: (await spfOf("v=spf1 -all")).spfRecord,
      spf: { ...faulty.spf, problem: "In the SPF record for b.example: it cannot be read." },
    },
    finds: ["invalid-term"],
  },
  {
    when: "finds a missing space between two strings, once",
    facts: await split("v=spf1 ip4:192.0.2.1", "include:b.example -all"),
    finds: ["joined-terms"],
    says: 'The SPF record for a.example is split into strings without a space between them, which joins two terms into "ip4:192.0.2.1include:b.example".',
    fix: 'Put a space at the end of the first string: `"v=spf1 ip4:192.0.2.1 " "include:b.example -all"`',
  },
  {
    when: "finds a missing space between two includes, which makes another name",
    facts: await split("v=spf1 include:b.example", "include:c.example -all"),
    finds: ["joined-terms"],
  },
  { when: "passes a space between two strings", facts: await split("v=spf1 ip4:192.0.2.1 ", "mx -all"), finds: [] },
  {
    when: "passes a name that is split between two strings",
    facts: await split("v=spf1 a:mail.a.exam", "ple mx -all"),
    finds: [],
  },
  {
    when: "finds two redirects",
    facts: await read("v=spf1 redirect=b.example redirect=c.example"),
    finds: ["repeated-modifier"],
    says: 'The SPF record for a.example has 2 "redirect=" modifiers, so receivers treat SPF as broken (permerror).',
    fix: "Keep one `redirect=`.",
  },
  {
    when: "passes one of each modifier",
    facts: await read("v=spf1 redirect=b.example exp=why.a.example", { "b.example": { TXT: ["v=spf1 -all"] } }),
    finds: [],
  },
  { when: "does not apply to a domain without a record", facts: await split("hello"), outcome: "not-applicable" },
  {
    when: "is skipped while an included record does not answer",
    facts: await read("v=spf1 include:b.example -all", { "b.example": "timeout" }),
    outcome: "skipped",
  },
]);
