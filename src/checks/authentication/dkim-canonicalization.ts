import { defineCheck, passed } from "../check.ts";
import { bestAligned, withoutPass } from "./signatures.ts";

export const dkimCanonicalization = defineCheck({
  id: "dkim-canonicalization",
  area: "authentication",
  label: "DKIM canonicalization",
  owner: "email-service",
  asks: "whether the signature tolerates refolding",
  why: "The `simple` form of the header breaks at the first relay that refolds a line.",
  refs: ["RFC 6376 §3.4"],
  needs: ["dkim"],
  kinds: "all",
  domain: "no",
  passes: "The signature of {domain} uses {canon}, which tolerates refolding.",
  findings: {
    fragile: {
      severity: "info",
      cost: 0,
      title: "Fragile DKIM canonicalization",
      says: "The signature of {domain} uses {canon}; a refolded header breaks it.",
      fix: "Set `c=relaxed/relaxed`.",
    },
  },
  run({ dkim }) {
    const best = bestAligned(dkim);
    if (best === null) return withoutPass(dkim);
    const { domain, selector, canon } = best;
    const data = { domain, canon: `${canon?.header}/${canon?.body}` };
    return canon?.header === "simple"
      ? [{ finding: "fragile", subject: selector ?? "", data }]
      : passed(data);
  },
});
