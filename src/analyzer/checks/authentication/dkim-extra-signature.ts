import type { AlignedSignature, Dkim } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised, skipped } from "../check.ts";
import { bestAligned, isOpen, ownSignatures, unsigned } from "./signatures.ts";

type RaisedFinding = Raised<"aligned-fails" | "foreign-fails" | "many">;

const maxUsual = 5;
const maxShown = 5;

export const dkimExtraSignature = defineCheck({
  id: "dkim-extra-signature",
  helpPage: "fix-dkim",
  label: "Extra DKIM signatures",
  owner: "email-service",
  asks: "whether additional signatures cause problems",
  why: "Yahoo does not guarantee a DMARC pass if one of several aligned signatures fails.",
  refs: ["Yahoo sender FAQ"],
  needs: ["dkim"],
  passes: "No additional DKIM signature[[ causes problems ({count} signatures in total)]].",
  findings: {
    "aligned-fails": {
      severity: "minor",
      cost: 8,
      title: "Additional DKIM signature fails",
      says: "An additional {domain} signature[[ (selector {selector})]] fails: {why}.",
      fix: "Fix or turn off the signer[[ that uses selector {selector}]].",
    },
    "foreign-fails": {
      severity: "info",
      title: "Third-party DKIM signature fails",
      says: "An additional signature[[ for {domain}]] fails: {why}. Your own signature passes.",
      fix: "No action needed.",
    },
    many: {
      severity: "minor",
      cost: 3,
      title: "Too many DKIM signatures",
      says: "The message has {count} DKIM signatures. Some receivers check only the first few.",
      fix: "Sign each message only once per domain.",
    },
  },
  run({ dkim }) {
    if (dkim.signatures.length === 0) return unsigned;
    const found = [...findFailing(dkim), ...findMany(dkim)];
    if (found.length > 0) return found;
    const count = dkim.signatures.length > 1 ? dkim.signatures.length : null;
    return count !== null && ownSignatures(dkim).some(isOpen) ? skipped("timeout") : passed({ count });
  },
});

function findFailing(dkim: Dkim): RaisedFinding[] {
  if (bestAligned(dkim) === null) return [];
  const failing = dkim.signatures.filter(isHarmful);
  return failing
    .slice(0, maxShown)
    .map(({ domain, selector, says, aligned }) => ({
      finding: aligned.relaxed ? "aligned-fails" : "foreign-fails",
      subject: selector ?? domain ?? "",
      data: { domain, selector, why: says ?? "it does not verify" },
    }));
}

/** A signature that was not evaluated, or that receivers cannot evaluate, does no harm. */
function isHarmful(signature: AlignedSignature): boolean {
  const { result, why } = signature;
  return result !== "pass" && !isOpen(signature) && why !== "too-many" && why !== "algorithm";
}

function findMany({ signatures, ignored }: Dkim): RaisedFinding[] {
  const count = signatures.filter(({ why }) => why !== "too-many").length + ignored;
  return count > maxUsual ? [{ finding: "many", data: { count } }] : [];
}
