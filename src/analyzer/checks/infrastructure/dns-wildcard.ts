import { defineCheck, passed, skipped } from "../check.ts";
import { knownValues, whyNone } from "./rows.ts";

export const dnsWildcard = defineCheck({
  id: "dns-wildcard",
  helpPage: "fix-dns",
  label: "DNS wildcard",
  owner: "dns",
  asks: "whether a wildcard matches policy names",
  why: "A wildcard TXT record returns unrelated text at `_dmarc` and `_domainkey` names.",
  refs: ["RFC 4592"],
  needs: ["zone"],
  kinds: [],
  domain: "only",
  passes: "No wildcard matches the policy names of {domain}.",
  findings: {
    "policy-names": {
      severity: "minor",
      cost: 8,
      title: "Wildcard matches policy names",
      says: 'A wildcard TXT record matches {name}: "{text}".',
      fix: "Remove the TXT wildcard, or override it with explicit records at {names}.",
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
    // The same wildcard answers for both names, so it counts once.
    return [{ finding: "policy-names", data: { ...first, names }, evidence: { answers: found } }];
  },
});

/** A wildcard with a key or policy is intended: `*._domainkey` with `v=DKIM1; p=` revokes all keys. */
function isMeant(name: string, text: string): boolean {
  return name.startsWith("_dmarc.") ? /^v=DMARC1\b/.test(text) : /^v=DKIM1\b|^(?:k=\w{1,20};\s{0,9})?p=/.test(text);
}
