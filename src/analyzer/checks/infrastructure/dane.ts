import { defineCheck, notApplicable, type Raised, skipped } from "../check.ts";
import type { DaneHost } from "../infrastructure-facts.ts";
import { knownValues, whyNone } from "./rows.ts";

export const dane = defineCheck({
  id: "dane",
  helpPage: "fix-mta-sts",
  label: "DANE",
  owner: "dns",
  asks: "whether the TLSA records of the MX hosts are usable",
  why: "Unusable TLSA records provide no protection. This check does not contact the hosts, so it does not compare the records with the certificates.",
  refs: ["RFC 7672 §3.1.3"],
  needs: ["dane"],
  passes: "",
  findings: {
    unusable: {
      severity: "minor",
      cost: 8,
      title: "Unusable TLSA records",
      says: "The TLSA records for {host} are unusable ({problem}), so they provide no protection.",
      fix: "Publish `_25._tcp.{host}. TLSA 3 1 1` with the SHA-256 of the current public key.",
    },
    unsigned: {
      severity: "minor",
      cost: 3,
      title: "TLSA records without DNSSEC",
      says: "{host} publishes TLSA records, but its zone is not signed with DNSSEC, so they have no effect.",
      fix: "Sign the zone, or remove the records.",
    },
    present: {
      severity: "good",
      title: "Usable TLSA records",
      says: "{host} has usable TLSA records, signed with DNSSEC.",
      fix: null,
    },
  },
  run({ dane: { hosts } }) {
    const published = hosts.filter(({ fact }) => !fact.known || fact.value.records.length > 0);
    if (published.length === 0) return notApplicable("No MX host has TLSA records.");
    const found = published.flatMap(({ of, fact }) => (fact.known ? judge(of, fact.value) : []));
    if (found.length > 0) return found;
    const secures = knownValues(published).map(({ secure }) => ({ of: "", fact: secure }));
    return skipped(whyNone(secures.length > 0 ? secures : published));
  },
});

function judge(host: string, { secure, records }: DaneHost): Raised<"unusable" | "unsigned" | "present">[] {
  if (!secure.known) return [];
  const evidence = { records: records.slice(0, maxShown) };
  if (!secure.value) return [{ finding: "unsigned", subject: host, data: { host }, evidence }];
  if (records.some(({ problem }) => problem === null))
    return [{ finding: "present", subject: host, data: { host }, evidence }];
  const problems = [...new Set(records.flatMap(({ problem }) => problem ?? []))];
  return [{ finding: "unusable", subject: host, data: { host, problem: problems }, evidence }];
}

const maxShown = 10;
