import type { Dmarc } from "../authentication-facts.ts";
import { defineCheck, notApplicable, skipped } from "../check.ts";
import { rewriteDmarc } from "./dmarc-text.ts";
import { type AppliedPolicy, readAppliedPolicy } from "./policy-owner.ts";

export const dmarcPolicy = defineCheck({
  id: "dmarc-policy",
  area: "authentication",
  label: "DMARC policy",
  owner: "dns",
  asks: "what the domain wants done with forged mail",
  why: "`p=none` lets forged mail through. Providers accept it, so it costs little.",
  refs: ["RFC 9989 §4.7", "BIMI draft"],
  needs: ["dmarc"],
  wants: ["kind", "parked", "dmarcResult"],
  kinds: "all",
  passes: "",
  findings: {
    none: {
      severity: "minor",
      cost: 3,
      title: "DMARC policy is none",
      says: "The DMARC policy of {domain} is none: forged mail is delivered as usual.",
      fix: "[[Keep `p=none` until {failing} passes DMARC: a stronger policy would send it to spam.]][[When reports show that all your senders pass, publish at `{name}`: `{corrected}`.]]",
    },
    testing: {
      severity: "info",
      cost: 0,
      title: "DMARC policy in test mode",
      says: "The policy of {domain} is {policy} in test mode (t=y); receivers act one step milder: {effective}.",
      fix: "Remove `t=y` when the reports are clean: `{corrected}`.",
    },
    enforced: {
      severity: "good",
      cost: 0,
      title: "DMARC policy enforced",
      says: "{domain} asks receivers to {policy} forged mail.",
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
      return notApplicable("The domain sends no mail; that it should refuse all is told by parked-domain.");
    if (isFallback(dmarc)) return notApplicable("Why the policy counts as none is told by dmarc-syntax.");
    const data = { domain, name, policy, effective };
    const evidence = { record };
    if (policy === "none") {
      const corrected = rewriteDmarc(record, { set: { [decides]: "quarantine" } });
      // Stronger for the domain than below it: that is the one cause.
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

/** RFC 9989 §4.10.1: p=none stands for a policy that cannot be read. */
function isFallback({ faults }: Dmarc): boolean {
  return faults.some(
    ({ kind, tag }) => kind === "no-policy" || (kind === "bad-tag" && (tag === "sp" || tag === "np")),
  );
}

/** The tag that says what is asked for this domain; null while that hangs on whether the domain exists. */
function decidingTag(
  { domain, exists }: Dmarc,
  { foundAt, tags: { p, sp, np } }: AppliedPolicy,
): string | null {
  const forExisting = sp === null ? "p" : "sp";
  if (foundAt === domain) return "p";
  if (np === null || np === (sp ?? p)) return forExisting;
  if (!exists.known) return null;
  return exists.value ? forExisting : "np";
}
