import { defineCheck, notApplicable, passed, skipped } from "../check.ts";

export const spfAlignment = defineCheck({
  id: "spf-alignment",
  helpPage: "fix-alignment",
  label: "SPF alignment",
  owner: "email-service",
  asks: "whether SPF aligns with the From domain",
  why: "DMARC counts SPF only if it aligns with the From domain. Most email services use their own return-path domain and rely on DKIM.",
  refs: ["RFC 9989"],
  needs: ["spf", "dmarcResult", "kind"],
  passes: "SPF passes for {spfDomain}, which aligns with {fromDomain}.",
  findings: {
    foreign: {
      severity: "info",
      title: "SPF not aligned",
      says: "SPF passes for {spfDomain}, which does not align with {fromDomain}. DMARC relies on DKIM alone.",
      fix: "Optional: set up a return path under your own domain[[ in {esp}]], for example `bounce.{fromDomain}`.",
    },
  },
  run({ spf, dmarcResult, kind }) {
    const { fromDomain, alignedBy, spfAligned, result } = dmarcResult;
    if (spf.result === "temperror") return skipped("timeout");
    if (spf.result !== "pass") return notApplicable("SPF does not pass.");
    if (fromDomain === null) return notApplicable("The message does not have exactly one From domain.");
    if (spf.identity === "helo") return notApplicable("The return path is empty.");
    const data = { spfDomain: spf.domain ?? "", fromDomain, esp: kind.esp?.name ?? null };
    if (!spfAligned.known) return skipped(spfAligned.why);
    if (spfAligned.value) return passed(data);
    if (result === "pass" && alignedBy.includes("dkim")) return [{ finding: "foreign", data }];
    return notApplicable("DMARC does not pass with DKIM. See dmarc-result.");
  },
});
