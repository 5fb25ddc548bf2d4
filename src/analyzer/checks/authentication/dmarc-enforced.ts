// DMARC fails, and the domain asks receivers to reject such mail or send it to spam. Receivers act on
// that, so it is a separate issue, whatever keeps SPF and DKIM from passing.

import type { Dkim } from "../authentication-facts.ts";
import type { Gate, Proof, Raised } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import type { CameThrough } from "../kind.ts";

export type ResultFacts = Pick<Facts, "dmarcResult"> &
  Pick<KnownFacts, "spf" | "dkim" | "dmarc"> & { readonly kind: CameThrough };

const rejectGates: readonly Gate[] = [
  { provider: "gmail", sender: "any", reply: "550 5.7.26" },
  { provider: "gmail", sender: "bulk", reply: "421 4.7.32, then refusal", when: "something-passes" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
  { provider: "outlook", sender: "any", reply: "550 5.7.509" },
  { provider: "yahoo", sender: "any", reply: "554 5.7.9" },
  { provider: "apple", sender: "any", reply: "550 5.7.1" },
];

/** What providers do about mail that isn't authenticated, on top of the policy. */
const quarantineGates: readonly Gate[] = [
  { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "nothing-passes" },
  { provider: "yahoo", sender: "any", reply: "550 5.7.9", when: "nothing-passes" },
  { provider: "apple", sender: "any", reply: "554 5.7.1 [HME1]", when: "nothing-passes" },
  { provider: "gmail", sender: "bulk", reply: "421 4.7.32, then refusal", when: "something-passes" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];

const enforcedFix =
  "If you sent this message, {remedy}[[. {esp} calls this “domain authentication”]]. If you own {fromDomain} and did not send it, your policy works, and there is nothing to fix.";

export type Policy = "policy-reject" | "policy-quarantine";

export const enforcedFindings = {
  "policy-reject": {
    severity: "critical",
    cost: 45,
    title: "DMARC fails, policy is reject",
    says: "{fromDomain} asks receivers to reject mail that fails DMARC, and this message fails: {reason}.",
    fix: enforcedFix,
    gates: rejectGates,
  },
  "policy-quarantine": {
    severity: "critical",
    cost: 45,
    title: "DMARC fails, policy is quarantine",
    says: "{fromDomain} asks receivers to send mail that fails DMARC to spam, and this message fails: {reason}.",
    fix: enforcedFix,
    gates: quarantineGates,
  },
} as const;

/** What the domain asks for, if it asks receivers to act. */
export function policyOf({ dmarc, dmarcResult }: ResultFacts): Policy | null {
  if (!dmarc.known || dmarcResult.result !== "fail") return null;
  const { effective } = dmarc.value;
  return effective === "reject" || effective === "quarantine" ? `policy-${effective}` : null;
}

type Enforced = {
  readonly policy: Policy;
  readonly fromDomain: string;
  /** Left out if nothing passes. */
  readonly passing?: readonly string[];
  readonly mendedBy: readonly Proof[];
  readonly evidence: Readonly<Record<string, unknown>>;
};

export function toEnforced(
  facts: ResultFacts,
  { policy, fromDomain, passing, mendedBy, evidence }: Enforced,
): Raised<Policy> {
  const { kind, dkim, spf } = facts;
  const words = `SPF (${spf.known ? spf.value.result : "unknown"}) nor DKIM (${dkim.known ? toDkimWord(dkim.value) : "unknown"})`;
  const data = {
    fromDomain,
    reason:
      passing === undefined
        ? `neither ${words} passes`
        : `it passes ${toSeries(passing, "and")}, but not for a domain that aligns with ${fromDomain}`,
    remedy: toSeries(toWays(facts, fromDomain), "or"),
    esp: kind.esp?.name ?? null,
  };
  return {
    finding: policy,
    data,
    mendedBy,
    holds: [passing === undefined ? "nothing-passes" : "something-passes"],
    evidence: { ...evidence, tiedToDomain: isTied(facts, passing !== undefined) },
  };
}

/** The ways to authenticate the author, each of which is enough. */
function toWays(facts: ResultFacts, fromDomain: string): string[] {
  const { spf, dkim } = findFailing(facts);
  const { spfAligned, pslOrgDomain } = facts.dmarcResult;
  const isOnPath = spfAligned.known && spfAligned.value;
  return [
    ...[...dkim, ...spf].slice(0, 3).map((what) => `fix ${what}`),
    ...(dkim.length > 0 ? [] : [`sign it with DKIM for ${fromDomain}`]),
    ...(isOnPath ? [] : [`use a return path under ${pslOrgDomain ?? fromDomain} whose SPF record allows your server`]),
  ];
}

function toSeries(words: readonly string[], last: "and" | "or"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")}${words.length > 2 ? "," : ""} ${last} ${words.at(-1)}`;
}

/**
 * Whether something ties the message to the domain's owner: a signature with a key that the domain publishes, or an
 * email service that authenticates it under its own name.
 */
function isTied({ dkim, kind }: ResultFacts, passes: boolean): boolean {
  const hasOwnKey =
    dkim.known && dkim.value.signatures.some(({ aligned, key }) => aligned.relaxed && (key?.records.length ?? 0) > 0);
  return hasOwnKey || (passes && kind.esp !== null);
}

/** Aligned SPF and DKIM results that do not pass. Other checks report what is wrong with them. */
export function findFailing({ spf, dkim, dmarcResult: { spfAligned } }: ResultFacts): Record<Proof, string[]> {
  const isOwn = spf.known && spfAligned.known && spfAligned.value && spf.value.result !== "pass";
  const signers = dkim.known
    ? dkim.value.signatures.filter(({ result, aligned }) => aligned.relaxed && result !== "pass")
    : [];
  return {
    spf: isOwn ? [`SPF for ${spf.value.domain} (${spf.value.result})`] : [],
    dkim: [...new Set(signers.flatMap(({ domain }) => (domain ? [`the DKIM signature for ${domain}`] : [])))],
  };
}

export function toHolds({ dmarc }: ResultFacts): string[] {
  return dmarc.known && dmarc.value.effective === "reject" ? ["policy-rejects"] : [];
}

export function toDkimWord({ signatures }: Dkim): string {
  return signatures.length === 0 ? "not signed" : signatures.length === 1 ? "signature fails" : "no signature passes";
}
