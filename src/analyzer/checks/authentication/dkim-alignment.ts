import { defineCheck, notApplicable, skipped } from "../check.ts";
import { bestAligned, unsigned, withoutPass } from "./signatures.ts";

export const dkimAlignment = defineCheck({
  id: "dkim-alignment",
  helpPage: "fix-alignment",
  label: "DKIM alignment",
  owner: "email-service",
  asks: "whether a valid DKIM signature aligns with the From domain",
  why: "Without alignment, your reputation depends on the service that signs your mail, and DMARC fails as soon as SPF breaks.",
  refs: ["RFC 9989", "Outlook, Apple, GMX sender rules"],
  needs: ["dkim", "dmarcResult"],
  wants: ["kind"],
  passes: "",
  findings: {
    "provider-only": {
      severity: "major",
      title: "DKIM not aligned",
      says: "The message has a valid DKIM signature for {domains}, but not for {fromDomain}. Only SPF authenticates {fromDomain}.",
      fix: "Authenticate {fromDomain}[[ with {esp}]] and publish the DKIM records that your email service gives you. Signatures will then have d={fromDomain}.",
      gates: [{ provider: "gmx", sender: "any", reply: "rejection" }],
    },
    pass: {
      severity: "good",
      title: "DKIM passes and aligns",
      says: "{domain} signed the message with selector {selector} ({algorithm}[[, {bits} bits]][[, {assumed}]]).",
      fix: null,
    },
  },
  run({ dkim, dmarcResult, kind }) {
    const { signatures } = dkim;
    const { fromDomain, result, alignedBy, dkimAligned } = dmarcResult;
    if (signatures.length === 0) return unsigned;
    const best = bestAligned(dkim);
    if (best !== null && alignedBy.includes("dkim")) {
      const { domain, selector, algorithm, key, assumed } = best;
      return [
        {
          finding: "pass",
          subject: selector ?? "",
          data: { domain, selector, algorithm, bits: key?.bits ?? null, assumed: assumed ? "assumed" : null },
        },
      ];
    }
    const passing = signatures.filter((signature) => signature.result === "pass");
    if (passing.length === 0) return withoutPass(dkim);
    if (!dkimAligned.known) return skipped(dkimAligned.why);
    if (best !== null) return notApplicable("The DMARC record requires an exact match. See dmarc-result.");
    // The result is the same with and without a DMARC record. Otherwise publishing one would cause the finding.
    if (fromDomain === null || (result !== "pass" && result !== "none") || !alignedBy.includes("spf"))
      return notApplicable("SPF does not authenticate the From domain either. See dmarc-result.");
    const domains = [...new Set(passing.flatMap(({ domain }) => domain ?? []))];
    const esp = kind.known ? (kind.value.esp?.name ?? null) : null;
    return [{ finding: "provider-only", data: { domains, fromDomain, esp } }];
  },
});
