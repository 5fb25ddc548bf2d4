import { defineCheck, passed, skipped } from "../check.ts";
import { knownValues, whyNone } from "./rows.ts";

export const dnsWildcard = defineCheck({
  id: "dns-wildcard",
  area: "infrastructure",
  label: "DNS wildcard",
  owner: "dns",
  asks: "whether a wildcard answers for policy names",
  why: "A wildcard TXT makes unrelated text appear at `_dmarc` or `_domainkey` names.",
  refs: ["RFC 4592"],
  needs: ["zone"],
  kinds: [],
  domain: "only",
  passes: "No wildcard answers for the policy names of {domain}.",
  findings: {
    "policy-names": {
      severity: "minor",
      cost: 8,
      title: "Wildcard answers for policy records",
      says: 'A wildcard answers for {name}: "{text}".',
      fix: "Remove the TXT wildcard, or publish explicit records at {names}, which end its reach there.",
    },
  },
  run({ zone: { domain, wildcards } }) {
    const found = wildcards.flatMap(({ of, fact }) =>
      fact.known && fact.value !== null && !isMeant(of, fact.value) ? [{ name: of, text: fact.value }] : [],
    );
    const [first] = found;
    if (first === undefined)
      return knownValues(wildcards).length > 0 ? passed({ domain }) : skipped(whyNone(wildcards));
    const names = [`_domainkey.${domain}`, `_dmarc.${domain}`];
    // The same wildcard answers for both: one fault.
    return [{ finding: "policy-names", data: { ...first, names }, evidence: { answers: found } }];
  },
});

/** A key or policy for every name is one that somebody published so: `*._domainkey` with `v=DKIM1; p=` revokes all. */
function isMeant(name: string, text: string): boolean {
  return name.startsWith("_dmarc.")
    ? /^v=DMARC1\b/.test(text)
    : /^v=DKIM1\b|^(?:k=\w{1,20};\s{0,9})?p=/.test(text);
}
