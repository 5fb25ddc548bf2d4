import { defineCheck, notApplicable, passed, skipped } from "../check.ts";

export const spfAlignment = defineCheck({
  id: "spf-alignment",
  area: "authentication",
  label: "SPF alignment",
  owner: "email-service",
  asks: "whether the SPF domain belongs to the From domain",
  why: "DMARC counts SPF only for the From organisation; most sending services use their own envelope domain, and DKIM then carries DMARC.",
  refs: ["RFC 9989"],
  needs: ["spf", "dmarcResult", "kind"],
  kinds: "all",
  domain: "no",
  passes: "SPF passes for {spfDomain}, which belongs to {fromDomain}.",
  findings: {
    foreign: {
      severity: "info",
      cost: 0,
      title: "SPF not aligned",
      says: "SPF passes for {spfDomain}, which is not part of {fromDomain}; DMARC rests on DKIM alone.",
      fix: "Optional: set a return path below your own domain[[ at {esp}]], for example `bounce.{fromDomain}`.",
    },
  },
  run({ spf, dmarcResult, kind }) {
    const { fromDomain, alignedBy, spfAligned, result } = dmarcResult;
    if (spf.result === "temperror") return skipped("timeout");
    if (spf.result !== "pass") return notApplicable("SPF does not pass.");
    if (fromDomain === null) return notApplicable("The message has no one From domain.");
    if (spf.identity === "helo") return notApplicable("The message has the empty return path.");
    const data = { spfDomain: spf.domain ?? "", fromDomain, esp: kind.esp?.name ?? null };
    if (!spfAligned.known) return skipped(spfAligned.why);
    if (spfAligned.value) return passed(data);
    if (result === "pass" && alignedBy.includes("dkim")) return [{ finding: "foreign", data }];
    return notApplicable("DMARC does not pass by DKIM, which tells more.");
  },
});
