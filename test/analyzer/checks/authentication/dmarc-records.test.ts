import { dmarcObsolete } from "../../../../src/analyzer/checks/authentication/dmarc-obsolete.ts";
import { dmarcPolicy } from "../../../../src/analyzer/checks/authentication/dmarc-policy.ts";
import { dmarcPsd } from "../../../../src/analyzer/checks/authentication/dmarc-psd.ts";
import { dmarcRecord } from "../../../../src/analyzer/checks/authentication/dmarc-record.ts";
import { dmarcSubdomains } from "../../../../src/analyzer/checks/authentication/dmarc-subdomains.ts";
import { unknown } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import { dmarcOf, judged, kindOf } from "./policy-facts.ts";

const kind = kindOf();
const of = (record: string) => dmarcOf("a.example", { "a.example": record });

testCheck(dmarcRecord, [
  {
    when: "passes one record at the domain",
    facts: { dmarc: await of("p=reject") },
    says: "a.example is covered by one DMARC record, at _dmarc.a.example.",
  },
  {
    when: "passes a parent's record that covers the domain",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject" }) },
    says: "news.a.example is covered by one DMARC record, at _dmarc.a.example.",
  },
  {
    when: "passes another text next to the record",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "=verification=1"] }) },
  },
  {
    when: "leaves a parked domain without a record to another check",
    facts: { dmarc: await dmarcOf("a.example"), parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
  {
    when: "is skipped without a record while it is unknown whether the domain sends",
    facts: { dmarc: await dmarcOf("a.example") },
    unknown: { parked: "timeout" },
    outcome: "skipped",
  },
  {
    when: "finds a domain without a record at any level",
    facts: { dmarc: await dmarcOf("a.example") },
    finds: ["missing"],
    says: "There is no DMARC record at _dmarc.a.example or for any parent domain.",
    fix: "Publish a TXT record at `_dmarc.a.example`: `v=DMARC1; p=none; rua=mailto:dmarc@a.example`. Change the policy to p=quarantine once reports are clean.",
  },
  {
    when: "finds two records",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "p=reject; rua=mailto:d@a.example"] }) },
    finds: ["several"],
    says: "There are 2 DMARC records at _dmarc.a.example, so receivers ignore all of them.",
    fix: "Replace them with one record: `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "finds a record at the domain itself",
    facts: { dmarc: await dmarcOf("a.example", {}, { "a.example": { TXT: ["v=DMARC1; p=reject"] } }) },
    finds: ["misplaced"],
    says: "There is a DMARC record at a.example, but receivers look only at _dmarc.a.example.",
    fix: "Publish this record at `_dmarc.a.example`: `v=DMARC1; p=reject`.",
  },
  {
    when: "finds an SPF record at the DMARC name",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": "=v=spf1 -all" }) },
    finds: ["misplaced"],
    says: "There is an SPF record at _dmarc.a.example instead of a DMARC record.",
  },
  {
    when: "ignores the SPF record at the domain",
    facts: { dmarc: await dmarcOf("a.example", {}, { "a.example": { TXT: ["v=spf1 -all"] } }) },
    finds: ["missing"],
  },
  {
    when: "leaves an unreadable record to dmarc-syntax",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": "=v=dmarc1; p=none" }) },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a domain that does not exist",
    facts: { dmarc: { ...(await dmarcOf("a.example")), exists: { known: true, value: false } } },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a message from a free mailbox",
    facts: { dmarc: await dmarcOf("gmail.com"), kind },
    outcome: "not-applicable",
  },
  {
    when: "judges the domain of a free mailbox provider",
    facts: { dmarc: await dmarcOf("gmail.com") },
    finds: ["missing"],
  },
]);

testCheck(dmarcPolicy, [
  {
    when: "finds p=none",
    facts: { dmarc: await of("p=none; rua=mailto:d@a.example") },
    finds: ["none"],
    says: "The DMARC policy for a.example is none, so spoofed mail is delivered as usual.",
    fix: "Once reports show that all your senders pass, publish this at `_dmarc.a.example`: `v=DMARC1; p=quarantine; rua=mailto:d@a.example`.",
  },
  {
    when: "does not suggest a stronger policy that would reject this message",
    facts: await judged("a.example", "spf=fail a.example", { "a.example": "p=none; rua=mailto:d@a.example" }),
    finds: ["none"],
    fix: "Keep `p=none` until this message passes DMARC. A stricter policy would send it to spam.",
  },
  {
    when: "leaves an unreadable policy to dmarc-syntax",
    facts: { dmarc: await of("p=nonsense; rua=mailto:d@a.example") },
    outcome: "not-applicable",
  },
  {
    when: "leaves an invalid sp, which invalidates the policy, to dmarc-syntax",
    facts: { dmarc: await of("p=reject; sp=; rua=mailto:d@a.example") },
    outcome: "not-applicable",
  },
  {
    when: "reports a policy that sends spoofed mail to spam",
    facts: { dmarc: await of("p=quarantine") },
    finds: ["enforced"],
  },
  {
    when: "reports a policy that rejects spoofed mail",
    facts: { dmarc: await of("p=reject; t=n") },
    finds: ["enforced"],
    says: "a.example asks receivers to reject spoofed mail.",
  },
  {
    when: "reports a policy in test mode",
    facts: { dmarc: await of("p=reject; t=y") },
    finds: ["testing"],
    says: "The DMARC policy for a.example is reject in test mode (t=y), so receivers apply quarantine instead.",
    fix: "Remove `t=y` once reports are clean: `v=DMARC1; p=reject`.",
  },
  { when: "finds p=none in test mode", facts: { dmarc: await of("p=none; t=y") }, finds: ["none"] },
  {
    when: "finds the parent's sp=none, and leaves the details to dmarc-subdomains",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject; sp=none" }) },
    finds: ["none"],
    ownedBy: "dmarc-subdomains.weaker",
    fix: "Once reports show that all your senders pass, publish this at `_dmarc.a.example`: `v=DMARC1; p=reject; sp=quarantine`.",
  },
  {
    when: "is skipped if sp or np applies while it is unknown whether the domain exists",
    facts: {
      dmarc: { ...(await dmarcOf("news.a.example", { "a.example": "p=reject; np=none" })), exists: unknown("timeout") },
    },
    outcome: "skipped",
  },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
  {
    when: "does not apply to a record without a policy",
    facts: { dmarc: await of("p=blocked") },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to the record of a registry",
    facts: { dmarc: await dmarcOf("a.gov.uk", { "gov.uk": "p=none; psd=y" }) },
    outcome: "not-applicable",
  },
  {
    when: "does not apply to a message from a free mailbox",
    facts: { dmarc: await dmarcOf("gmail.com", { "gmail.com": "p=none" }), kind },
    outcome: "not-applicable",
  },
  {
    when: "leaves a parked domain with p=none to another check",
    facts: { dmarc: await of("p=none"), parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
]);

testCheck(dmarcSubdomains, [
  { when: "passes a record without a subdomain policy", facts: { dmarc: await of("p=reject") } },
  {
    when: "passes a subdomain policy that is almost as strict",
    facts: { dmarc: await of("p=reject; sp=quarantine") },
    says: "The DMARC record at _dmarc.a.example does not exempt subdomains from its policy.",
  },
  {
    when: "passes a weaker subdomain policy if the domain itself has p=none",
    facts: { dmarc: await of("p=none; sp=none") },
  },
  {
    when: "finds unprotected subdomains",
    facts: { dmarc: await of("p=reject; sp=none") },
    finds: ["weaker"],
    says: "a.example enforces reject, but sp=none leaves its subdomains unprotected.",
    fix: "Remove `sp=none` or set `sp=reject`: `v=DMARC1; p=reject; sp=reject`.",
  },
  {
    when: "finds unprotected nonexistent subdomains",
    facts: { dmarc: await of("p=reject; np=none") },
    finds: ["weaker"],
  },
  {
    when: "finds a subdomain policy in a record of a subdomain, where it is ignored",
    facts: {
      dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject", "news.a.example": "p=reject; sp=none" }),
    },
    finds: ["ignored"],
    says: '"sp=none" at _dmarc.news.a.example has no effect. This tag works only at a.example.',
    fix: "Remove it: `v=DMARC1; p=reject`.",
  },
  {
    when: "is skipped while the organization is unknown",
    facts: { dmarc: { ...(await of("p=reject; sp=none")), orgDomain: unknown("timeout") } },
    outcome: "skipped",
  },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);

testCheck(dmarcObsolete, [
  { when: "passes a record without obsolete tags", facts: { dmarc: await of("p=reject; rua=mailto:d@a.example") } },
  {
    when: "finds pct",
    facts: { dmarc: await of("p=reject; pct=20") },
    finds: ["pct"],
    says: "pct=20 at _dmarc.a.example no longer limits the policy. Receivers that follow RFC 9989 apply reject to all mail.",
    fix: "Remove `pct`: `v=DMARC1; p=reject`. To test the policy first, add `t=y`.",
  },
  {
    when: "finds the report interval",
    facts: { dmarc: await of("p=reject; ri=3600; pct=100") },
    finds: ["tags"],
    says: "The DMARC record at _dmarc.a.example has parts that no longer have any effect: ri=3600 and pct=100.",
    fix: "Publish `v=DMARC1; p=reject`.",
  },
  {
    when: "finds a size limit after a report address",
    facts: { dmarc: await of("p=reject; rua=mailto:d@a.example!10m") },
    finds: ["tags"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  { when: "finds pct with p=none", facts: { dmarc: await of("p=none; pct=20") }, finds: ["tags"] },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);

testCheck(dmarcPsd, [
  { when: "passes a domain with psd=n", facts: { dmarc: await of("p=reject; psd=n") } },
  {
    when: "finds psd=y at a domain that is not a registry",
    facts: { dmarc: await of("p=reject; psd=y") },
    finds: ["misused"],
    says: "The record at _dmarc.a.example has psd=y, which is only for registries. Subdomains no longer align with a.example.",
    fix: "Remove `psd=y`: `v=DMARC1; p=reject`.",
  },
  {
    when: "finds psd=y at the parent domain",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject; psd=y", "news.a.example": "p=none" }) },
    finds: ["misused"],
  },
  {
    when: "passes psd=y at a registry",
    facts: { dmarc: await dmarcOf("a.gov.uk", { "gov.uk": "p=reject; psd=y", "a.gov.uk": "p=none" }) },
  },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);
