import type { Dmarc } from "../authentication-facts.ts";
import { defineCheck, notApplicable, skipped } from "../check.ts";
import { rewriteDmarc } from "./dmarc-text.ts";
import { type AppliedPolicy, readAppliedPolicy } from "./policy-owner.ts";

export const dmarcPolicy = defineCheck({
  id: "dmarc-policy",
  helpPage: "fix-dmarc-policy",
  label: "DMARC policy",
  owner: "dns",
  asks: "what the domain asks receivers to do with spoofed mail",
  why: "`p=none` lets spoofed mail through, but providers accept it, so it costs few points.",
  refs: ["RFC 9989 §4.7", "BIMI draft"],
  needs: ["dmarc"],
  wants: ["kind", "parked", "dmarcResult"],
  passes: "",
  findings: {
    none: {
      severity: "minor",
      cost: 3,
      title: "DMARC policy is none",
      says: "The DMARC policy for {domain} is none, so spoofed mail is delivered as usual.",
      fix: "[[Keep `p=none` until {failing} passes DMARC. A stricter policy would send it to spam.]][[Once reports show that all your senders pass, publish this at `{name}`: `{corrected}`.]]",
    },
    testing: {
      severity: "info",
      title: "DMARC policy in test mode",
      says: "The DMARC policy for {domain} is {policy} in test mode (t=y), so receivers apply {effective} instead.",
      fix: "Remove `t=y` once reports are clean: `{corrected}`.",
    },
    enforced: {
      severity: "good",
      title: "DMARC policy enforced",
      says: "{domain} asks receivers to {policy} spoofed mail.",
      fix: null,
    },
  },
  run({ dmarc, kind, parked, dmarcResult }) {
    const applied = readAppliedPolicy(dmarc, kind);
    if (typeof applied === "string") return notApplicable(applied);
    const { name, record, tags, policy } = applied;
    const { domain, effective, exists } = dmarc;
    const decides = decidingTag(dmarc, applied);
    if (decides === null) return skipped(exists.known ? "timeout" : exists.why);
    if (parked.known && parked.value.isParked && effective !== "reject")
      return notApplicable("The domain sends no mail. See parked-domain.");
    if (isFallback(dmarc)) return notApplicable("The policy counts as none because it is invalid. See dmarc-syntax.");
    const data = { domain, name, policy, effective };
    const evidence = { record };
    if (policy === "none") {
      const corrected = rewriteDmarc(record, { set: { [decides]: "quarantine" } });
      // If only the policy for subdomains is weak, dmarc-subdomains owns the cause.
      const isBelow = decides !== "p" && tags.p !== "none";
      const owner = isBelow ? ({ ownedBy: "dmarc-subdomains.weaker" } as const) : {};
      const isFailing = dmarcResult.known && dmarcResult.value.result === "fail";
      const next = isFailing ? { failing: "this message", corrected: null } : { failing: null, corrected };
      return [{ finding: "none", data: { ...data, ...next }, evidence, ...owner }];
    }
    if (!tags.t) return [{ finding: "enforced", data, evidence }];
    const corrected = rewriteDmarc(record, { remove: ["t"] });
    return [{ finding: "testing", data: { ...data, corrected }, evidence }];
  },
});

/** RFC 9989 §4.10.1: an invalid policy counts as p=none. */
function isFallback({ faults }: Dmarc): boolean {
  return faults.some(({ kind, tag }) => kind === "no-policy" || (kind === "bad-tag" && (tag === "sp" || tag === "np")));
}

/** The tag that decides for this domain. Null if that depends on whether the domain exists, which is unknown. */
function decidingTag({ domain, exists }: Dmarc, { foundAt, tags: { p, sp, np } }: AppliedPolicy): string | null {
  const forExisting = sp === null ? "p" : "sp";
  if (foundAt === domain) return "p";
  if (np === null || np === (sp ?? p)) return forExisting;
  if (!exists.known) return null;
  return exists.value ? forExisting : "np";
}
