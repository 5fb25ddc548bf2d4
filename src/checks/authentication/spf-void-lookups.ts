import type { SpfRecord } from "../authentication-facts.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { unprovenSpfGates } from "./spf-joints.ts";
import { whyNotWhole } from "./spf-outline.ts";
import { findProvider, ownershipFacts, whyNoRecord } from "./spf-owner.ts";

/** RFC 7208 §4.6.4. */
const maxVoids = 2;
const maxShown = 20;

export const spfVoidLookups = defineCheck({
  id: "spf-void-lookups",
  area: "authentication",
  label: "SPF void lookups",
  owner: "dns",
  asks: "whether look-ups of the record come back empty",
  why: "More than two empty answers end evaluation with permerror.",
  refs: ["RFC 7208 §4.6.4"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  kinds: "all",
  passes: "Every host that the SPF record of {domain} names is there.",
  findings: {
    "over-limit": {
      severity: "major",
      cost: 18,
      title: "Too many void SPF lookups",
      says: "{voids} look-ups of the SPF record of {domain} return nothing[[ ({names})]]; the limit is 2, so receivers answer permerror.",
      fix: "[[Ask {provider} to correct it.]][[Remove from the record of {name} the terms that name hosts which no longer exist]][[: {terms}]]",
      gates: unprovenSpfGates,
    },
    some: {
      severity: "info",
      cost: 0,
      title: "SPF terms without addresses",
      says: "No address stands behind {terms} in the SPF record of {domain}.",
      fix: "Remove what is not needed.",
    },
  },
  run({ spfRecord, spf, ...facts }) {
    const { domain } = spfRecord;
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const provider = findProvider(domain, facts);
    const isHarmed = spf.known && spf.value.cause === "voids";
    if (provider !== null && !isHarmed)
      return notApplicable(`The SPF record of ${domain} is kept by ${provider}.`);
    const count = spfRecord.voids.length;
    const { terms, names } = listVoids(spfRecord);
    const evidence = { voids: spfRecord.voids.slice(0, maxShown) };
    if (isHarmed || (!spf.known && count > maxVoids)) {
      const voids = Math.max(count, maxVoids + 1);
      const own = provider === null ? { name: domain, terms } : {};
      return [{ finding: "over-limit", data: { domain, provider, voids, names, ...own }, evidence }];
    }
    if (count > 0) return [{ finding: "some", data: { domain, terms }, evidence }];
    const missing = whyNotWhole(spfRecord);
    return missing === null ? passed({ domain }) : skipped(missing);
  },
});

function listVoids({ domain, voids }: SpfRecord) {
  const terms = voids.map(({ term, domain: holder }) =>
    holder.toLowerCase() === domain.toLowerCase() ? `"${term}"` : `"${term}" of ${holder}`,
  );
  const names = voids.map(({ name }) => name);
  return { terms: toShown(terms), names: toShown(names) };
}

function toShown(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, maxShown);
}
