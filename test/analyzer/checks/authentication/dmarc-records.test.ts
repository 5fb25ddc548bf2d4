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
    when: "one record stands at the domain",
    facts: { dmarc: await of("p=reject") },
    says: "a.example is covered by one DMARC record, at _dmarc.a.example.",
  },
  {
    when: "a parent's record covers the domain",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject" }) },
    says: "news.a.example is covered by one DMARC record, at _dmarc.a.example.",
  },
  {
    when: "an unrelated text stands beside the record",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "=verification=1"] }) },
  },
  {
    when: "a parked domain has none, which is another check's matter",
    facts: { dmarc: await dmarcOf("a.example"), parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
  {
    when: "there is none, and nobody knows whether the domain sends",
    facts: { dmarc: await dmarcOf("a.example") },
    unknown: { parked: "timeout" },
    outcome: "skipped",
  },
  {
    when: "there is none up to the top",
    facts: { dmarc: await dmarcOf("a.example") },
    finds: ["missing"],
    says: "There is no DMARC record at _dmarc.a.example or for any parent domain.",
    fix: "Publish a TXT record at `_dmarc.a.example`: `v=DMARC1; p=none; rua=mailto:dmarc@a.example`. Change the policy to p=quarantine once reports are clean.",
  },
  {
    when: "there are two",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": ["p=none", "p=reject; rua=mailto:d@a.example"] }) },
    finds: ["several"],
    says: "There are 2 DMARC records at _dmarc.a.example, so receivers ignore all of them.",
    fix: "Replace them with one record: `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  {
    when: "it stands at the domain itself",
    facts: { dmarc: await dmarcOf("a.example", {}, { "a.example": { TXT: ["v=DMARC1; p=reject"] } }) },
    finds: ["misplaced"],
    says: "There is a DMARC record at a.example, but receivers look only at _dmarc.a.example.",
    fix: "Publish this record at `_dmarc.a.example`: `v=DMARC1; p=reject`.",
  },
  {
    when: "an SPF record stands in its place",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": "=v=spf1 -all" }) },
    finds: ["misplaced"],
    says: "There is an SPF record at _dmarc.a.example instead of a DMARC record.",
  },
  {
    when: "an SPF record stands at the domain, as it should",
    facts: { dmarc: await dmarcOf("a.example", {}, { "a.example": { TXT: ["v=spf1 -all"] } }) },
    finds: ["missing"],
  },
  {
    when: "the record cannot be read, which dmarc-syntax tells",
    facts: { dmarc: await dmarcOf("a.example", { "a.example": "=v=dmarc1; p=none" }) },
    outcome: "not-applicable",
  },
  {
    when: "the domain does not exist",
    facts: { dmarc: { ...(await dmarcOf("a.example")), exists: { known: true, value: false } } },
    outcome: "not-applicable",
  },
  {
    when: "a message comes from a free mailbox",
    facts: { dmarc: await dmarcOf("gmail.com"), kind },
    outcome: "not-applicable",
  },
  { when: "the free mailbox domain itself is asked", facts: { dmarc: await dmarcOf("gmail.com") }, finds: ["missing"] },
]);

testCheck(dmarcPolicy, [
  {
    when: "nothing shall be done with forged mail",
    facts: { dmarc: await of("p=none; rua=mailto:d@a.example") },
    finds: ["none"],
    says: "The DMARC policy for a.example is none, so spoofed mail is delivered as usual.",
    fix: "Once reports show that all your senders pass, publish this at `_dmarc.a.example`: `v=DMARC1; p=quarantine; rua=mailto:d@a.example`.",
  },
  {
    when: "a stronger policy would hurt this very message",
    facts: await judged("a.example", "spf=fail a.example", { "a.example": "p=none; rua=mailto:d@a.example" }),
    finds: ["none"],
    fix: "Keep `p=none` until this message passes DMARC. A stricter policy would send it to spam.",
  },
  {
    when: "the policy cannot be read, which dmarc-syntax tells",
    facts: { dmarc: await of("p=nonsense; rua=mailto:d@a.example") },
    outcome: "not-applicable",
  },
  {
    when: "a bad sp spoils the policy, which dmarc-syntax tells",
    facts: { dmarc: await of("p=reject; sp=; rua=mailto:d@a.example") },
    outcome: "not-applicable",
  },
  { when: "forged mail goes to spam", facts: { dmarc: await of("p=quarantine") }, finds: ["enforced"] },
  {
    when: "it is refused",
    facts: { dmarc: await of("p=reject; t=n") },
    finds: ["enforced"],
    says: "a.example asks receivers to reject spoofed mail.",
  },
  {
    when: "the policy is only tried out",
    facts: { dmarc: await of("p=reject; t=y") },
    finds: ["testing"],
    says: "The DMARC policy for a.example is reject in test mode (t=y), so receivers apply quarantine instead.",
    fix: "Remove `t=y` once reports are clean: `v=DMARC1; p=reject`.",
  },
  {
    when: "p=none is tried out, which is none all the same",
    facts: { dmarc: await of("p=none; t=y") },
    finds: ["none"],
  },
  {
    when: "the parent's sp decides, and dmarc-subdomains tells",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject; sp=none" }) },
    finds: ["none"],
    ownedBy: "dmarc-subdomains.weaker",
    fix: "Once reports show that all your senders pass, publish this at `_dmarc.a.example`: `v=DMARC1; p=reject; sp=quarantine`.",
  },
  {
    when: "sp or np decides, and nobody knows whether the domain exists",
    facts: {
      dmarc: { ...(await dmarcOf("news.a.example", { "a.example": "p=reject; np=none" })), exists: unknown("timeout") },
    },
    outcome: "skipped",
  },
  { when: "there is no record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
  { when: "the record has no policy", facts: { dmarc: await of("p=blocked") }, outcome: "not-applicable" },
  {
    when: "the record is a registry's",
    facts: { dmarc: await dmarcOf("a.gov.uk", { "gov.uk": "p=none; psd=y" }) },
    outcome: "not-applicable",
  },
  {
    when: "a message comes from a free mailbox",
    facts: { dmarc: await dmarcOf("gmail.com", { "gmail.com": "p=none" }), kind },
    outcome: "not-applicable",
  },
  {
    when: "a parked domain asks for nothing, which is another check's matter",
    facts: { dmarc: await of("p=none"), parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
]);

testCheck(dmarcSubdomains, [
  { when: "nothing is said of subdomains", facts: { dmarc: await of("p=reject") } },
  {
    when: "they are treated almost alike",
    facts: { dmarc: await of("p=reject; sp=quarantine") },
    says: "The DMARC record at _dmarc.a.example does not exempt subdomains from its policy.",
  },
  { when: "nothing is protected anyway", facts: { dmarc: await of("p=none; sp=none") } },
  {
    when: "they are left open",
    facts: { dmarc: await of("p=reject; sp=none") },
    finds: ["weaker"],
    says: "a.example enforces reject, but sp=none leaves its subdomains unprotected.",
    fix: "Remove `sp=none` or set `sp=reject`: `v=DMARC1; p=reject; sp=reject`.",
  },
  { when: "those that do not exist are left open", facts: { dmarc: await of("p=reject; np=none") }, finds: ["weaker"] },
  {
    when: "a record below the organisation's speaks of subdomains",
    facts: {
      dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject", "news.a.example": "p=reject; sp=none" }),
    },
    finds: ["ignored"],
    says: '"sp=none" at _dmarc.news.a.example has no effect. This tag works only at a.example.',
    fix: "Remove it: `v=DMARC1; p=reject`.",
  },
  {
    when: "nobody knows which organisation it is",
    facts: { dmarc: { ...(await of("p=reject; sp=none")), orgDomain: unknown("timeout") } },
    outcome: "skipped",
  },
  { when: "there is no record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);

testCheck(dmarcObsolete, [
  { when: "every tag has a meaning", facts: { dmarc: await of("p=reject; rua=mailto:d@a.example") } },
  {
    when: "the policy was for a part of the mail",
    facts: { dmarc: await of("p=reject; pct=20") },
    finds: ["pct"],
    says: "pct=20 at _dmarc.a.example no longer limits the policy. Receivers that follow RFC 9989 apply reject to all mail.",
    fix: "Remove `pct`: `v=DMARC1; p=reject`. To test the policy first, add `t=y`.",
  },
  {
    when: "the interval of reports is named",
    facts: { dmarc: await of("p=reject; ri=3600; pct=100") },
    finds: ["tags"],
    says: "The DMARC record at _dmarc.a.example has parts that no longer have any effect: ri=3600 and pct=100.",
    fix: "Publish `v=DMARC1; p=reject`.",
  },
  {
    when: "a size stands behind an address",
    facts: { dmarc: await of("p=reject; rua=mailto:d@a.example!10m") },
    finds: ["tags"],
    fix: "Publish `v=DMARC1; p=reject; rua=mailto:d@a.example`.",
  },
  { when: "a part of p=none was asked for", facts: { dmarc: await of("p=none; pct=20") }, finds: ["tags"] },
  { when: "there is no record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);

testCheck(dmarcPsd, [
  { when: "the domain says that it is no registry's", facts: { dmarc: await of("p=reject; psd=n") } },
  {
    when: "it says that it is one, and is none",
    facts: { dmarc: await of("p=reject; psd=y") },
    finds: ["misused"],
    says: "The record at _dmarc.a.example has psd=y, which is only for registries. Subdomains no longer align with a.example.",
    fix: "Remove `psd=y`: `v=DMARC1; p=reject`.",
  },
  {
    when: "the parent of the domain says so",
    facts: { dmarc: await dmarcOf("news.a.example", { "a.example": "p=reject; psd=y", "news.a.example": "p=none" }) },
    finds: ["misused"],
  },
  {
    when: "a registry says so",
    facts: { dmarc: await dmarcOf("a.gov.uk", { "gov.uk": "p=reject; psd=y", "a.gov.uk": "p=none" }) },
  },
  { when: "there is no record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);
