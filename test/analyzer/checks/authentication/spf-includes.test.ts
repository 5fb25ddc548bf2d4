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
    when: "the same include on two branches is no circle",
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
    when: "a target with addresses alone has no record",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:mail.example -all", { "mail.example": { A: ["192.0.2.1"] } })),
    },
    finds: ["target-empty"],
    says: 'The SPF record for a.example has "include:mail.example", but mail.example publishes no SPF record. Receivers treat SPF as broken (permerror).',
    fix: "Remove `include:mail.example`, or use the name in your provider's current instructions.",
  },
  {
    when: "a target with two records is as bad",
    facts: {
      spfRecord: await spfRecordOf("v=spf1 redirect=b.example", { "b.example": { TXT: ["v=spf1 mx", "v=spf1 a"] } }),
    },
    finds: ["target-empty"],
    says: 'The SPF record for a.example has "redirect=b.example", but b.example publishes 2 SPF records. Receivers treat SPF as broken (permerror).',
  },
  {
    when: "a name that is gone below a domain that lives is only empty",
    facts: {
      spfRecord: await spfRecordOf("v=spf1 include:old.esp.example -all", { "esp.example": { A: ["192.0.2.1"] } }),
    },
    finds: ["target-empty"],
  },
  {
    when: "a domain that anybody may register is trusted",
    facts: { ...onMessage, ...gone },
    finds: ["target-gone"],
    says: "The SPF record for a.example trusts closed-startup.example, a domain that no longer exists. Anyone who registers it can send as a.example.",
    fix: "Remove `include:closed-startup.example` right away.",
  },
  {
    when: "so is one above a name that is gone, behind a provider's record",
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
    when: "whether anybody may register it is not known",
    facts: { spfRecord: await spfRecordOf("v=spf1 include:old.esp.example -all", { "esp.example": "timeout" }) },
    outcome: "skipped",
  },
  {
    when: "two records that include each other go round in a circle",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:b.example -all", circle)) },
    finds: ["loop"],
    says: "The SPF record for a.example includes itself in a loop: a.example → b.example → a.example.",
    fix: "Ask b.example to fix the loop. Removing `include:b.example` from your own record also solves it.",
  },
  {
    when: "a record that includes itself is told which term to remove",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:a.example -all")) },
    finds: ["loop"],
    fix: "Remove `include:a.example`, which closes the loop.",
  },
  {
    when: "the record of a service that harms the message is told",
    facts: { ...foreign, ...gone },
    finds: ["target-gone"],
    fix: "Tell a.example right away.",
  },
  {
    when: "a target that only this sender leads to is told by SPF's own words",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:%{l}.spf.example -all")) },
    finds: ["target-empty"],
    says: '"include:%{l}.spf.example" in the record for a.example does not point to an SPF record: ann.spf.example does not exist. Receivers treat SPF as broken (permerror).',
  },
  {
    when: "a name that a lost space made has another cause",
    facts: { spfRecord: await spfRecordOf({ TXT: [["v=spf1 include:b.example", "include:c.example -all"]] }) },
    finds: [],
  },
  {
    when: "a target that does not answer may have a record",
    facts: { spfRecord: await spfRecordOf("v=spf1 include:b.example -all", { "b.example": "servfail" }) },
    outcome: "skipped",
  },
]);
