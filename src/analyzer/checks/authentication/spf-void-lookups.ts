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
  helpPage: "fix-spf-lookups",
  label: "SPF void lookups",
  owner: "dns",
  asks: "whether SPF lookups come back empty",
  why: "More than two empty lookups break SPF (permerror).",
  refs: ["RFC 7208 §4.6.4"],
  needs: ["spfRecord"],
  wants: [...ownershipFacts, "spf"],
  passes: "The SPF record for {domain} has no void lookups.",
  findings: {
    "over-limit": {
      severity: "major",
      title: "Too many void SPF lookups",
      says: "{voids} lookups in the SPF record for {domain} return nothing[[ ({names})]]. The limit is 2, so receivers treat SPF as broken (permerror).",
      fix: "[[Ask {provider} to fix it.]][[In the record for {name}, remove terms whose hosts no longer exist]][[: {terms}]]",
      gates: unprovenSpfGates,
    },
    some: {
      severity: "info",
      title: "SPF terms without addresses",
      says: "The SPF record for {domain} has terms that resolve to no address: {terms}.",
      fix: "Remove the terms that you no longer need.",
    },
  },
  run({ spfRecord, spf, ...facts }) {
    const { domain } = spfRecord;
    const none = whyNoRecord(spfRecord);
    if (none !== null) return notApplicable(none);
    const provider = findProvider(domain, facts);
    const isHarmed = spf.known && spf.value.cause === "voids";
    if (provider !== null && !isHarmed)
      return notApplicable(`The SPF record for ${domain} belongs to ${provider}, not to the sender.`);
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
