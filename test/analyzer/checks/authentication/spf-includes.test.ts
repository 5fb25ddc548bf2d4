import { spfIncludes } from "../../../../src/analyzer/checks/authentication/spf-includes.ts";
import { testCheck } from "../test-check.ts";
import { kindOf, messageOf, sessionOf, spfOf, spfRecordOf } from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };
const text = (record: string) => ({ TXT: [record] });
const good = text("v=spf1 ip4:192.0.2.1 -all");

const gone = await spfOf("v=spf1 include:closed-startup.example ip4:203.0.113.7 -all");
const circle = { "b.example": text("v=spf1 include:a.example -all") };

testCheck(spfIncludes, [
  {
    when: "passes the same include on two branches",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:b.example include:c.example -all", {
        "b.example": text("v=spf1 include:d.example -all"),
        "c.example": text("v=spf1 include:d.example -all"),
        "d.example": good,
      })),
    },
    says: "Every include in the SPF record for a.example points to exactly one record.",
  },
  {
    when: "finds an included name with only addresses",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:mail.example -all", { "mail.example": { A: ["192.0.2.1"] } })),
    },
    finds: ["target-empty"],
    says: 'The SPF record for a.example has "include:mail.example", but mail.example publishes no SPF record. Receivers treat SPF as broken (permerror).',
    fix: "Remove `include:mail.example`, or use the name in your provider's current instructions.",
  },
  {
    when: "finds an included name with two records",
    facts: {
      spfRecord: await spfRecordOf("v=spf1 redirect=b.example", { "b.example": { TXT: ["v=spf1 mx", "v=spf1 a"] } }),
    },
    finds: ["target-empty"],
    says: 'The SPF record for a.example has "redirect=b.example", but b.example publishes 2 SPF records. Receivers treat SPF as broken (permerror).',
  },
  {
    when: "finds a missing include name under an existing domain",
    facts: {
      spfRecord: await spfRecordOf("v=spf1 include:old.esp.example -all", { "esp.example": { A: ["192.0.2.1"] } }),
    },
    finds: ["target-empty"],
  },
  {
    when: "finds an include of a domain that anyone can register",
    facts: { ...onMessage, ...gone },
    finds: ["target-gone"],
    says: "The SPF record for a.example trusts closed-startup.example, a domain that no longer exists. Anyone who registers it can send as a.example.",
    fix: "Remove `include:closed-startup.example` right away.",
  },
  {
    when: "finds a registrable domain in a missing include of a provider's record",
    facts: {
      spfRecord: await spfRecordOf("v=spf1 include:esp.example -all", {
        "esp.example": text("v=spf1 include:spf.closed.example -all"),
      }),
    },
    finds: ["target-gone"],
    says: "The SPF record for esp.example trusts spf.closed.example, a domain that no longer exists. Anyone who registers it can send as a.example.",
    fix: "Tell esp.example right away. Until it is fixed, remove `include:esp.example` from your own record.",
  },
  {
    when: "is skipped while it is unknown whether the domain can be registered",
    facts: { spfRecord: await spfRecordOf("v=spf1 include:old.esp.example -all", { "esp.example": "timeout" }) },
    outcome: "skipped",
  },
  {
    when: "finds two records that include each other",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:b.example -all", circle)) },
    finds: ["loop"],
    says: "The SPF record for a.example includes itself in a loop: a.example → b.example → a.example.",
    fix: "Ask b.example to fix the loop. Removing `include:b.example` from your own record also solves it.",
  },
  {
    when: "finds a record that includes itself, and names the term to remove",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:a.example -all")) },
    finds: ["loop"],
    fix: "Remove `include:a.example`, which closes the loop.",
  },
  {
    when: "finds a problem in a service's record that affects the message",
    facts: { ...foreign, ...gone },
    finds: ["target-gone"],
    fix: "Tell a.example right away.",
  },
  {
    when: "finds a missing include that depends on the sender, by the SPF error",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:%{l}.spf.example -all")) },
    finds: ["target-empty"],
    says: '"include:%{l}.spf.example" in the record for a.example does not point to an SPF record: ann.spf.example does not exist. Receivers treat SPF as broken (permerror).',
  },
  {
    when: "leaves a name made by a missing space to another check",
    facts: { spfRecord: await spfRecordOf({ TXT: [["v=spf1 include:b.example", "include:c.example -all"]] }) },
    finds: [],
  },
  {
    when: "is skipped while an included name does not answer",
    facts: { spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": "servfail" }) },
    outcome: "skipped",
  },
]);
