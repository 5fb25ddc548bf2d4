import { defineCheck, passed } from "../check.ts";
import { bestSeen, withoutPass } from "./signatures.ts";

export const dkimCanonicalization = defineCheck({
  id: "dkim-canonicalization",
  helpPage: "fix-dkim-signature",
  label: "DKIM canonicalization",
  owner: "email-service",
  asks: "whether the signature survives refolded headers",
  why: "With `simple` header canonicalization, the signature breaks when a relay refolds a header.",
  refs: ["RFC 6376 §3.4"],
  needs: ["dkim"],
  passes: "The {domain} signature uses {canon}, which tolerates refolded headers.",
  findings: {
    fragile: {
      severity: "info",
      title: "Fragile DKIM canonicalization",
      says: "The {domain} signature uses {canon}, so a refolded header breaks it.",
      fix: "Set `c=relaxed/relaxed`.",
    },
  },
  run({ dkim }) {
    const best = bestSeen(dkim);
    if (best === null) return withoutPass(dkim);
    const { domain, selector, canon } = best;
    const data = { domain, canon: `${canon?.header}/${canon?.body}` };
    return canon?.header === "simple" ? [{ finding: "fragile", subject: selector ?? "", data }] : passed(data);
  },
});
