import { defineCheck, passed, skipped } from "../check.ts";
import { knownValues, whyNone } from "./rows.ts";

const shortestSeconds = 300;

export const dnsTtl = defineCheck({
  id: "dns-ttl",
  area: "infrastructure",
  label: "DNS TTL",
  owner: "dns",
  asks: "whether lifetimes of policy records suit",
  why: "Very short lifetimes cost time and lead to timeouts at receivers.",
  refs: ["RFC 1912 §2.2"],
  needs: ["zone"],
  kinds: [],
  domain: "only",
  passes: "The policy records of {domain} may be kept long enough.",
  findings: {
    short: {
      severity: "info",
      cost: 0,
      title: "Very short DNS TTL",
      says: "{name} was answered with a lifetime of {ttl} s.",
      fix: "If the zone itself says so (a resolver's cache counts down), set 3600 once you are done changing it.",
    },
  },
  run({ zone: { domain, ttls } }) {
    const found = ttls.flatMap(({ of, fact }) =>
      fact.known && fact.value !== null && fact.value < shortestSeconds
        ? [{ finding: "short" as const, subject: of, data: { name: of, ttl: fact.value } }]
        : [],
    );
    if (found.length > 0) return found;
    return knownValues(ttls).length > 0 ? passed({ domain }) : skipped(whyNone(ttls));
  },
});
