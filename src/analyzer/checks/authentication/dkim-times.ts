import type { AlignedSignature, Dkim } from "../authentication-facts.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import { toDuration } from "../duration.ts";
import { bestSeen, failuresOf, ownSignatures, unprovenDkimGates, withoutPass } from "./signatures.ts";

type RaisedFinding = Raised<"expired" | "future" | "short-life">;

const toleranceMs = 10 * 60_000;
const minLifeMs = 24 * 3_600_000;
const maxShown = 5;
const longer = "Make signatures valid for at least 7 days (`x=` = `t=` + 604800), or leave out `x=`.";

export const dkimTimes = defineCheck({
  id: "dkim-times",
  helpPage: "fix-dkim-signature",
  label: "DKIM dates",
  owner: "email-service",
  asks: "whether the signature's dates are valid",
  why: "Receivers treat an expired signature as if it were missing. A short-lived one can expire while the message is queued or greylisted.",
  refs: ["RFC 6376 §3.5"],
  needs: ["dkim", "session"],
  passes: "The timestamps in the {domain} signature are valid.",
  findings: {
    expired: {
      severity: "critical",
      title: "DKIM signature expired",
      says: "The {domain} signature expired[[ at {at}, {age} before the message arrived]][[ before it was created: {problem}]].",
      fix: longer,
      gates: unprovenDkimGates,
    },
    future: {
      severity: "minor",
      cost: 8,
      title: "DKIM signature dated in the future",
      says: "The {domain} signature is dated {skew} in the future.",
      fix: "Sync the signing server's clock with NTP.",
    },
    "short-life": {
      severity: "minor",
      cost: 3,
      title: "DKIM signature expires too soon",
      says: "The {domain} signature is valid for only {life}. A delayed message may arrive too late.",
      fix: longer,
    },
  },
  run({ dkim, session: { receivedAt } }) {
    const expired = failuresOf(dkim, "dkim-times");
    const found = [
      ...expired.map((signature) => toExpired(signature, receivedAt)),
      ...findBadTimes(dkim, expired, receivedAt),
    ];
    if (found.length > 0) return found;
    const best = bestSeen(dkim);
    return best === null ? withoutPass(dkim) : passed({ domain: best.domain });
  },
});

function toExpired(signature: AlignedSignature, receivedAt: number): RaisedFinding {
  const { domain, selector, signedAt, expiresAt, says } = signature;
  const evidence = { selector, signedAt, expiresAt, receivedAt };
  const isTooLate = expiresAt !== null && expiresAt < receivedAt && (signedAt === null || signedAt < expiresAt);
  const data = isTooLate
    ? { at: new Date(expiresAt).toUTCString(), age: toDuration(receivedAt - expiresAt) }
    : { problem: says };
  return { finding: "expired", subject: selector ?? "", data: { domain, ...data }, evidence };
}

function findBadTimes(dkim: Dkim, expired: readonly AlignedSignature[], receivedAt: number): RaisedFinding[] {
  const judged = ownSignatures(dkim).filter((signature) => signature.domain !== null && !expired.includes(signature));
  return judged.slice(0, maxShown).flatMap(({ domain, selector, signedAt, expiresAt }): RaisedFinding[] => {
    if (signedAt === null) return [];
    const subject = selector ?? "";
    const evidence = { selector, signedAt, expiresAt, receivedAt };
    const skewMs = signedAt - receivedAt;
    const lifeMs = (expiresAt ?? Number.POSITIVE_INFINITY) - signedAt;
    return [
      ...(skewMs > toleranceMs
        ? [{ finding: "future", subject, data: { domain, skew: toDuration(skewMs) }, evidence } as const]
        : []),
      ...(lifeMs > 0 && lifeMs < minLifeMs
        ? [{ finding: "short-life", subject, data: { domain, life: toDuration(lifeMs) }, evidence } as const]
        : []),
    ];
  });
}
