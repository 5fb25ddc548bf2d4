import type { AlignedSignature, Dkim } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised, skipped } from "../check.ts";
import { bestAligned, isOpen, ownSignatures, unsigned } from "./signatures.ts";

type RaisedFinding = Raised<"aligned-fails" | "foreign-fails" | "many">;

const maxUsual = 5;
const maxShown = 5;

export const dkimExtraSignature = defineCheck({
  id: "dkim-extra-signature",
  area: "authentication",
  label: "Extra DKIM signatures",
  owner: "email-service",
  asks: "whether further signatures do harm",
  why: "Yahoo gives no promise of a DMARC pass when one of several aligned signatures fails.",
  refs: ["Yahoo sender FAQ"],
  needs: ["dkim"],
  kinds: "all",
  domain: "no",
  passes: "No signature of the message stands in another's way.",
  findings: {
    "aligned-fails": {
      severity: "minor",
      cost: 8,
      title: "Additional DKIM signature fails",
      says: "{domain} signed more than once, and the signature with the selector {selector} fails: {why}.",
      fix: "Repair or switch off the signer that uses the selector {selector}.",
    },
    "foreign-fails": {
      severity: "info",
      cost: 0,
      title: "Third-party DKIM signature fails",
      says: "The extra signature[[ of {domain}]] fails: {why}. Yours passes.",
      fix: "Nothing needed.",
    },
    many: {
      severity: "minor",
      cost: 3,
      title: "Too many DKIM signatures",
      says: "The message carries {count} DKIM signatures; some receivers check only the first few.",
      fix: "Sign once per domain.",
    },
  },
  run({ dkim }) {
    if (dkim.signatures.length === 0) return unsigned;
    const found = [...findFailing(dkim), ...findMany(dkim)];
    if (found.length > 0) return found;
    const isUndecided = dkim.signatures.length > 1 && ownSignatures(dkim).some(isOpen);
    return isUndecided ? skipped("timeout") : passed();
  },
});

function findFailing(dkim: Dkim): RaisedFinding[] {
  if (bestAligned(dkim) === null) return [];
  const failing = dkim.signatures.filter(isHarmful);
  return failing.slice(0, maxShown).map(({ domain, selector, says, aligned }) => ({
    finding: aligned.relaxed ? "aligned-fails" : "foreign-fails",
    subject: selector ?? domain ?? "",
    data: { domain, selector, why: says ?? "it does not verify" },
  }));
}

/** What a receiver cannot know of, or was not asked about, fails nowhere. */
function isHarmful(signature: AlignedSignature): boolean {
  const { result, why } = signature;
  return result !== "pass" && !isOpen(signature) && why !== "too-many" && why !== "algorithm";
}

function findMany({ signatures, ignored }: Dkim): RaisedFinding[] {
  const count = signatures.filter(({ why }) => why !== "too-many").length + ignored;
  return count > maxUsual ? [{ finding: "many", data: { count } }] : [];
}
