import { defineCheck, passed, skipped } from "../check.ts";
import { knownValues, whyNone } from "./rows.ts";

const shortestSeconds = 300;

export const dnsTtl = defineCheck({
  id: "dns-ttl",
  helpPage: "fix-dns",
  label: "DNS TTL",
  owner: "dns",
  asks: "whether the TTLs of policy records are long enough",
  why: "A very short TTL causes more lookups and more timeouts at receivers.",
  refs: ["RFC 1912 §2.2"],
  needs: ["zone"],
  kinds: [],
  domain: "only",
  passes: "No policy record for {domain} has a TTL under 300 seconds.",
  findings: {
    short: {
      severity: "info",
      title: "Very short DNS TTL",
      says: "DNS returned {name} with a TTL of {ttl} s.",
      fix: "Check the TTL in the zone itself, because a caching resolver returns only the time that is left. If the TTL is short there too, set it to 3600.",
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
