import { defineCheck, passed } from "../check.ts";
import { bestSeen, failuresOf, keyNameOf, unprovenDkimGates, withoutPass } from "./signatures.ts";

export const dkimIdentity = defineCheck({
  id: "dkim-identity",
  helpPage: "fix-dkim-signature",
  label: "DKIM identity",
  owner: "email-service",
  asks: "whether i= matches d=",
  why: "Receivers must reject a signature whose identity (i=) is outside its domain (d=).",
  refs: ["RFC 6376 §3.5, §3.6.1"],
  needs: ["dkim"],
  passes: "The signature's identity, {identity}, is within {domain}.",
  findings: {
    outside: {
      severity: "critical",
      title: "DKIM identity outside signing domain",
      says: "The signature has i={identity}, which is outside d={domain}.",
      fix: "Remove `i=` or set it to `@{domain}`.",
      gates: unprovenDkimGates,
    },
    "strict-key": {
      severity: "critical",
      title: "DKIM key forbids subdomain identity",
      owner: "dns",
      says: "The key at {name} allows only i=@{domain} (t=s), but the signature has i={identity}.",
      fix: "Remove `t=s` from the key record or set `i=@{domain}`.",
      gates: unprovenDkimGates,
    },
  },
  run({ dkim }) {
    const failing = failuresOf(dkim, "dkim-identity");
    if (failing.length > 0)
      return failing.map((signature) => {
        const { why, domain, selector, identity } = signature;
        const data = { domain, selector, identity, name: keyNameOf(signature) };
        return { finding: why === "strict-identity" ? "strict-key" : "outside", subject: selector ?? "", data };
      });
    const best = bestSeen(dkim);
    return best === null ? withoutPass(dkim) : passed({ domain: best.domain, identity: best.identity });
  },
});
