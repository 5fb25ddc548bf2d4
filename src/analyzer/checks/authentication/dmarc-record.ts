import type { Dmarc } from "../authentication-facts.ts";
import { defineCheck, type Gate, notApplicable, passed } from "../check.ts";
import { mendDmarc, reportAddressOf } from "./dmarc-text.ts";
import { whyNotExpected, whyNotTheAuthors } from "./policy-owner.ts";

const gates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.40 (421 4.7.40, or 4.7.31)" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
  { provider: "yahoo", sender: "bulk", reply: "550 5.7.9" },
];

export const dmarcRecord = defineCheck({
  id: "dmarc-record",
  helpPage: "fix-dmarc",
  label: "DMARC record",
  owner: "dns",
  asks: "whether the From domain has one DMARC record",
  why: "Unless there is exactly one record, receivers act as if the domain had no policy. A parent domain's record counts too.",
  refs: ["RFC 9989 §4.10", "Gmail, Yahoo, Microsoft, Apple sender rules"],
  needs: ["dmarc"],
  wants: ["kind", "parked"],
  passes: "{domain} is covered by one DMARC record, at {name}.",
  findings: {
    missing: {
      severity: "major",
      title: "No DMARC record",
      says: "There is no DMARC record at {name} or for any parent domain.",
      fix: "Publish a TXT record at `_dmarc.{orgDomain}`: `v=DMARC1; p=none; rua=mailto:{rua}`. Change the policy to p=quarantine once reports are clean.",
      gates,
    },
    several: {
      severity: "major",
      title: "Multiple DMARC records",
      says: "There are {count} DMARC records at {name}, so receivers ignore all of them.",
      fix: "Replace them with one record: `{suggestion}`.",
      gates,
    },
    misplaced: {
      severity: "major",
      title: "DMARC record at wrong name",
      says: "[[There is a DMARC record at {where}, but receivers look only at {name}.]][[There is an SPF record at {instead} instead of a DMARC record.]]",
      fix: "Publish this record at `{name}`: `{record}`.",
      gates,
    },
  },
  run({ dmarc, kind, parked }) {
    const { domain, records, recordsAt, foundAt, faults } = dmarc;
    const notTheirs = whyNotTheAuthors(domain, kind);
    if (notTheirs !== null) return notApplicable(notTheirs);
    if (records.length > 1) {
      const name = `_dmarc.${recordsAt}`;
      const suggestion = mendDmarc(strictest(records), recordsAt ?? domain);
      return [{ finding: "several", data: { name, count: records.length, suggestion }, evidence: { records } }];
    }
    if (foundAt !== null) return passed({ domain, name: `_dmarc.${foundAt}` });
    if (dmarc.exists.known && !dmarc.exists.value) return notApplicable(`${domain} does not exist. Fix that first.`);
    if (faults.length > 0) return notApplicable(`The record at _dmarc.${recordsAt} cannot be read. See dmarc-syntax.`);
    const found = misplaced(dmarc);
    return found ? [found] : (whyNotExpected(parked) ?? [missing(dmarc)]);
  },
});

function missing({ domain, name, orgDomain, walk }: Dmarc) {
  const org = orgDomain.known ? orgDomain.value : domain;
  const data = { name, orgDomain: org, rua: reportAddressOf(org) };
  return { finding: "missing" as const, data, evidence: { asked: walk.map((step) => step.name) } };
}

function misplaced({ domain, name, apexRecord, spfInPlace }: Dmarc) {
  if (apexRecord !== null) {
    const record = mendDmarc(apexRecord, domain);
    const data = { where: domain, name, record };
    return { finding: "misplaced" as const, data, evidence: { record: apexRecord } };
  }
  if (spfInPlace === null) return null;
  const record = `v=DMARC1; p=none; rua=mailto:${reportAddressOf(domain)}`;
  const data = { instead: name, name, record };
  return { finding: "misplaced" as const, data, evidence: { record: spfInPlace } };
}

const policies = ["none", "quarantine", "reject"].map(
  (policy) => new RegExp(`;\\s{0,9}p\\s{0,9}=\\s{0,9}${policy}`, "i"),
);

/** The strictest of several records: its author expected all mail to be signed. */
export function strictest(records: readonly string[]): string {
  const strength = (text: string) => policies.findIndex((policy) => policy.test(text));
  return records.toSorted((left, right) => strength(right) - strength(left))[0] ?? "";
}
