import { defineCheck, passed } from "../check.ts";
import { bestSeen, passesAligned, withoutPass } from "./signatures.ts";

export const dkimBodyLength = defineCheck({
  id: "dkim-body-length",
  helpPage: "fix-dkim-signature",
  label: "DKIM body length",
  owner: "email-service",
  asks: "whether the signature covers the whole body",
  why: "With `l=`, anyone can append text without breaking your signature. BIMI does not accept such signatures.",
  refs: ["RFC 6376 §3.5, §8.2"],
  needs: ["dkim"],
  passes: "The {domain} signature covers the whole body.",
  findings: {
    partial: {
      severity: "major",
      title: "DKIM covers only part of body",
      says: "The {domain} signature covers only {signed} of {total} body bytes. The rest is not protected.",
      fix: "Turn off the signer's body length option (`l=`).",
    },
    limited: {
      severity: "minor",
      cost: 8,
      title: "DKIM body length tag used",
      says: "The {domain} signature uses l={signed}, so text can be appended without breaking it.",
      fix: "Turn off the signer's body length option (`l=`).",
    },
  },
  run({ dkim }) {
    const best = bestSeen(dkim);
    if (best === null) return withoutPass(dkim);
    // Each signature counts: one that covers the whole body does not protect another with l=.
    const open = dkim.signatures.filter((signature) => passesAligned(signature) && signature.bodyLength !== null);
    if (open.length === 0) return passed({ domain: best.domain });
    return open.map(({ domain, selector, bodyLength: signed, bodyBytes: total }) => ({
      finding: (signed ?? 0) < (total ?? 0) ? "partial" : "limited",
      subject: selector ?? "",
      data: { domain, selector, signed, total },
    }));
  },
});
