import { dmarcReports } from "../../../../src/analyzer/checks/authentication/dmarc-reports.ts";
import type { Zone } from "../../../../src/analyzer/dns/zone.ts";
import { testCheck } from "../test-check.ts";
import { dmarcOf } from "./policy-facts.ts";

const mx = { MX: [{ preference: 10, exchange: "mx.a.example" }] };
const of = (record: string, rest: Zone = {}) =>
  dmarcOf("a.example", { "a.example": record }, { "a.example": mx, ...rest });
const outside = "p=reject; rua=mailto:d@reports.test";

testCheck(dmarcReports, [
  {
    when: "passes reports to the domain itself",
    facts: { dmarc: await of("p=reject; rua=mailto:d@a.example") },
    says: "The DMARC record at _dmarc.a.example requests reports at mailto:d@a.example.",
  },
  {
    when: "reports a record without report addresses",
    facts: { dmarc: await of("p=reject") },
    finds: ["none"],
    fix: "Add `rua=mailto:dmarc@a.example`: `v=DMARC1; p=reject; rua=mailto:dmarc@a.example`.",
  },
  {
    when: "does not apply to a parked domain",
    facts: { dmarc: await of("p=reject"), parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
  {
    when: "finds an address without mailto:",
    facts: { dmarc: await of("p=reject; rua=reports@a.example") },
    finds: ["bad-address"],
    says: '"reports@a.example" at _dmarc.a.example is not a valid report address. The address must begin with mailto:.',
    fix: "Replace it with `mailto:reports@a.example`.",
  },
  {
    when: "finds an address with a space",
    facts: { dmarc: await of("p=reject; rua=mailto: d@a.example") },
    finds: ["bad-address"],
    fix: "Replace it with `mailto:d@a.example`.",
  },
  {
    when: "finds an address at another organization that has not agreed",
    facts: { dmarc: await of(outside, { "reports.test": mx }) },
    finds: ["unauthorised"],
    says: "reports.test has not agreed to receive reports for a.example, so no reports are sent there.",
    fix: "Ask the owner of reports.test to publish this TXT record at `a.example._report._dmarc.reports.test` in their DNS, not in yours: `v=DMARC1;`. Or use an address at a.example.",
  },
  {
    when: "passes an address at another organization that has agreed",
    facts: {
      dmarc: await of(outside, { "reports.test": mx, "a.example._report._dmarc.reports.test": { TXT: ["v=DMARC1;"] } }),
    },
  },
  {
    when: "finds an address at a host that rejects all mail",
    facts: {
      dmarc: await of("p=reject; rua=mailto:d@no.a.example", {
        "no.a.example": { MX: [{ preference: 0, exchange: "" }] },
      }),
    },
    finds: ["no-mailbox"],
    says: "Reports to mailto:d@no.a.example cannot be delivered: no.a.example accepts no mail.",
  },
  {
    when: "passes an address at a host without an MX",
    facts: { dmarc: await of("p=reject; rua=mailto:d@in.a.example", { "in.a.example": { A: ["192.0.2.1"] } }) },
  },
  {
    when: "finds three report addresses",
    facts: { dmarc: await of("p=reject; rua=mailto:a@a.example,mailto:b@a.example,mailto:c@a.example") },
    finds: ["many"],
    says: "rua= at _dmarc.a.example has 3 report addresses. Some reporters use only the first two.",
  },
  {
    when: "passes two report addresses",
    facts: { dmarc: await of("p=reject; rua=mailto:a@a.example,mailto:b@a.example") },
  },
  {
    when: "finds an unauthorized address even if DNS does not say whether its host receives mail",
    facts: { dmarc: await of(outside, { "reports.test": "timeout" }) },
    finds: ["unauthorised"],
  },
  {
    when: "is skipped while DNS does not say whether another organization has agreed",
    facts: { dmarc: await of(outside, { "reports.test": mx, "a.example._report._dmarc.reports.test": "timeout" }) },
    outcome: "skipped",
  },
  { when: "does not apply without a record", facts: { dmarc: await dmarcOf("a.example") }, outcome: "not-applicable" },
]);
