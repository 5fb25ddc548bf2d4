import { defineCheck, notApplicable, skipped } from "../check.ts";
import { bestAligned, unsigned, withoutPass } from "./signatures.ts";

export const dkimAlignment = defineCheck({
  id: "dkim-alignment",
  area: "authentication",
  label: "DKIM alignment",
  owner: "email-service",
  asks: "whether a passing signature belongs to the From domain",
  why: "Without it your reputation is that of the service that signs, and DMARC fails as soon as SPF breaks.",
  refs: ["RFC 9989", "Outlook, Apple, GMX sender rules"],
  needs: ["dkim", "dmarcResult"],
  wants: ["kind"],
  kinds: "all",
  domain: "no",
  passes: "",
  findings: {
    "provider-only": {
      severity: "major",
      cost: 18,
      title: "DKIM not aligned",
      says: "The message is signed only by {domains}, not by {fromDomain}; only SPF authenticates it.",
      fix: "Authenticate {fromDomain}[[ at {esp}]] and publish the DKIM records that your sender shows, so that the signature says d={fromDomain}.",
      gates: [{ provider: "gmx", sender: "any", reply: "rejection" }],
    },
    pass: {
      severity: "good",
      cost: 0,
      title: "DKIM passes and aligns",
      says: "{domain} signed the message with the selector {selector} ({algorithm}[[, {bits} bits]]).",
      fix: null,
    },
  },
  run({ dkim, dmarcResult, kind }) {
    const { signatures } = dkim;
    const { fromDomain, result, alignedBy, dkimAligned } = dmarcResult;
    if (signatures.length === 0) return unsigned;
    const best = bestAligned(dkim);
    if (best !== null && alignedBy.includes("dkim")) {
      const { domain, selector, algorithm, key } = best;
      return [
        {
          finding: "pass",
          subject: selector ?? "",
          data: { domain, selector, algorithm, bits: key?.bits ?? null },
        },
      ];
    }
    const passing = signatures.filter((signature) => signature.result === "pass");
    if (passing.length === 0) return withoutPass(dkim);
    if (!dkimAligned.known) return skipped(dkimAligned.why);
    if (best !== null)
      return notApplicable("The DMARC record demands an exact match, which another check judges.");
    // With a DMARC record or without: publishing one must not bring the finding about.
    if (fromDomain === null || (result !== "pass" && result !== "none") || !alignedBy.includes("spf"))
      return notApplicable("SPF does not authenticate the author either, which tells more.");
    const domains = [...new Set(passing.flatMap(({ domain }) => domain ?? []))];
    const esp = kind.known ? (kind.value.esp?.name ?? null) : null;
    return [{ finding: "provider-only", data: { domains, fromDomain, esp } }];
  },
});
