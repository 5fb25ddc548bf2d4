import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import type { KnownFacts, PublishedKey } from "../facts.ts";
import { isUsableKey } from "../infer-parked.ts";
import { hasNoKnownKey } from "./signing-keys.ts";

type RaisedFinding = Raised<"none-known" | "single-key" | "old-key">;

const monthMs = (365.25 / 12) * 86_400_000;
const oldMonths = 12;

export const dkimSelectors = defineCheck({
  id: "dkim-selectors",
  helpPage: "fix-dkim",
  label: "DKIM selectors",
  owner: "email-service",
  asks: "which DKIM keys the domain publishes",
  why: "DNS cannot list selectors, so there may always be keys that Assay does not know about.",
  refs: ["RFC 6376 §3.6.2"],
  needs: ["dkimKeys"],
  wants: ["history", "dmarc", "parked"],
  kinds: [],
  domain: "only",
  passes: "{domain} publishes several DKIM keys: {selectors}.",
  findings: {
    "none-known": {
      severity: "info",
      title: "No DKIM key known yet",
      says: "No DKIM key[[ for {domain}]] is known yet, so DKIM cannot be evaluated.",
      fix: "Send a test message[[ from {domain}]], or enter the selector (the s= tag of a signature).",
    },
    "single-key": {
      severity: "info",
      title: "Only one DKIM key",
      says: "Assay knows of only one DKIM key for {domain} ({selector}).",
      fix: "Optional: publish a second key under another selector, so you can switch quickly.",
    },
    "old-key": {
      severity: "info",
      title: "DKIM key not rotated",
      says: "The DKIM key at {name} has not changed in {months} months.",
      fix: "Rotate the key when convenient. Publish a new selector first, and remove the old one a week later.",
    },
  },
  run({ dkimKeys, history, dmarc, parked }) {
    const [first] = dkimKeys;
    if (hasNoKnownKey(dkimKeys) && parked.known && parked.value.isParked)
      return notApplicable("The domain sends no mail.");
    const domain = dmarc.known ? dmarc.value.domain : null;
    if (first === undefined || hasNoKnownKey(dkimKeys)) return [{ finding: "none-known", data: { domain } }];
    const usable = dkimKeys.filter(isUsableKey);
    const found = [...findSingle(usable), ...findOld(history)];
    const selectors = usable.map(({ selector }) => selector);
    if (found.length > 0) return found;
    return usable.length > 0
      ? passed({ domain: first.domain, selectors })
      : notApplicable("None of the known keys can be used.");
  },
});

function findSingle([key, ...others]: readonly PublishedKey[]): RaisedFinding[] {
  if (key === undefined || others.length > 0) return [];
  return [{ finding: "single-key", subject: key.selector, data: { domain: key.domain, selector: key.selector } }];
}

function findOld(history: KnownFacts["history"]): RaisedFinding[] {
  const newest = history.known ? history.value.keyFirstSeen : null;
  const months = newest === null ? 0 : Math.floor(newest.agoMs / monthMs);
  if (newest === null || months < oldMonths) return [];
  return [{ finding: "old-key", subject: newest.name, data: { name: newest.name, months } }];
}
