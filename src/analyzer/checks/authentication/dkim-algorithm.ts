import { defineCheck, passed } from "../check.ts";
import { bestAligned, failuresOf, passesAligned, unprovenDkimGates, withoutPass } from "./signatures.ts";

export const dkimAlgorithm = defineCheck({
  id: "dkim-algorithm",
  helpPage: "fix-dkim-key",
  label: "DKIM algorithm",
  owner: "email-service",
  asks: "whether receivers accept the signature algorithm",
  why: "Receivers must no longer accept rsa-sha1.",
  refs: ["RFC 8301 §3.1", "RFC 8463"],
  needs: ["dkim"],
  passes: "The {domain} signature uses {algorithm}, which all receivers can verify.",
  findings: {
    sha1: {
      severity: "critical",
      title: "DKIM uses SHA-1",
      says: "The {domain} signature uses rsa-sha1, so receivers that follow RFC 8301 treat it as missing.",
      fix: "Configure the signer to use rsa-sha256 (`a=rsa-sha256`).",
      gates: unprovenDkimGates,
    },
    "ed25519-only": {
      severity: "major",
      title: "No valid RSA DKIM signature",
      says: "The only valid {domain} signature uses Ed25519, which several large providers do not verify.",
      fix: "Add a second signature with a 2,048-bit RSA key under its own selector, and keep both.",
      why: "Not every provider verifies Ed25519.",
    },
  },
  run({ dkim }) {
    const old = failuresOf(dkim, "dkim-algorithm");
    if (old.length > 0)
      return old.map(({ domain, selector }) => ({ finding: "sha1", subject: selector ?? "", data: { domain } }));
    const best = bestAligned(dkim);
    if (best === null) return withoutPass(dkim);
    const isOther = ({ algorithm }: typeof best) => algorithm !== "ed25519-sha256";
    const common = dkim.signatures.find((signature) => passesAligned(signature) && isOther(signature));
    const { domain, algorithm } = common ?? best;
    if (common !== undefined) return passed({ domain, algorithm });
    return [{ finding: "ed25519-only", subject: best.selector ?? "", data: { domain } }];
  },
});
