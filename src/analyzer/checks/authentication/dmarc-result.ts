import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Dkim, DmarcResult, SpfResult } from "../authentication-facts.ts";
import { defineCheck, type Gate, notApplicable, type Proof, passed, type Raised, skipped } from "../check.ts";
import { type Fact, known, unknown } from "../fact.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import {
  enforcedFindings,
  findFailing,
  type Policy,
  policyOf,
  type ResultFacts,
  toDkimWord,
  toEnforced,
  toHolds,
} from "./dmarc-enforced.ts";
import { rewriteDmarc } from "./dmarc-text.ts";

const unalignedGates: readonly Gate[] = [
  { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "policy-rejects" },
  { provider: "gmail", sender: "bulk", reply: "421 4.7.32, then refusal" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
  { provider: "outlook", sender: "any", reply: "550 5.7.509", when: "policy-rejects" },
  { provider: "yahoo", sender: "any", reply: "554 5.7.9", when: "policy-rejects" },
  { provider: "apple", sender: "any", reply: "550 5.7.1", when: "policy-rejects" },
];

type Finding = Policy | "unaligned" | "strict-only" | "unauthenticated" | "forwarded" | "eras-differ" | "pass";
export const dmarcResult = defineCheck({
  id: "dmarc-result",
  helpPage: "fix-alignment",
  label: "DMARC alignment",
  owner: "email-service",
  asks: "whether the message passes DMARC",
  why: "DMARC ties the visible From address to SPF or DKIM. Providers require this alignment even without a DMARC record.",
  refs: ["RFC 9989 §5.3", "Gmail, Yahoo, Microsoft, Apple sender rules"],
  needs: ["dmarcResult", "kind"],
  wants: ["spf", "dkim", "dmarc"],
  passes: "{fromDomain} publishes no DMARC policy, but the message would pass DMARC through {alignedBy}.",
  findings: {
    ...enforcedFindings,
    unaligned: {
      severity: "critical",
      title: "No aligned SPF or DKIM",
      says: "The message passes {passing}, but not for a domain that aligns with the From domain, {fromDomain}.",
      fix: "[[Fix {failing}, which would authenticate {fromDomain}. Alternatively, sign with d={fromDomain}]][[Sign with d={signAs}]][[, or use a return path under {orgDomain} whose SPF record allows your server]][[. {esp} calls this “domain authentication”]].",
      gates: unalignedGates,
    },
    "strict-only": {
      severity: "critical",
      title: "Strict DMARC alignment not met",
      owner: "dns",
      says: "The message passes {passing}, but the DMARC record for {fromDomain} requires an exact match ({tags}).",
      fix: "Remove `{tags}` from the record at {name}: `{corrected}`. Or sign with d={fromDomain}.",
      gates: unalignedGates,
    },
    unauthenticated: {
      severity: "critical",
      cost: 0,
      title: "Neither SPF nor DKIM passes",
      says: "Neither SPF nor DKIM passes, so {fromDomain} is not authenticated as the sender.",
      fix: "Fix {owners} first. That also resolves this issue.",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.26" },
        { provider: "yahoo", sender: "any", reply: "550 5.7.9" },
        { provider: "apple", sender: "any", reply: "554 5.7.1 [HME1]" },
        { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
        { provider: "outlook", sender: "any", reply: "550 5.7.509", when: "policy-rejects" },
      ],
    },
    forwarded: {
      severity: "info",
      title: "DMARC broken by forwarding",
      says: "{forwarder} changed or resent the message, which passed DMARC before that.",
      fix: "No action needed by the sender.",
    },
    "eras-differ": {
      severity: "info",
      title: "DMARC results differ between RFCs",
      owner: "dns",
      says: "Under RFC 7489, the DMARC result is {oldResult} (organizational domain {oldOrgDomain}). Under RFC 9989, it is {result}[[ (organizational domain {orgDomain})]].",
      fix: "Publish a DMARC record at `_dmarc.{oldOrgDomain}`, without a psd tag.",
    },
    pass: {
      severity: "good",
      title: "DMARC passes",
      says: "{fromDomain} is authenticated by {alignedBy}[[ ({assumed})]].",
      fix: null,
    },
  },
  run(facts) {
    const { result, fromDomain, says } = facts.dmarcResult;
    if (fromDomain === null) return notApplicable(says ?? "The message has no From domain.");
    if (result === "permerror") return notApplicable("The From header is ambiguous. See from-header.");
    if (result === "temperror") return skipped(facts.dmarc.known ? "timeout" : facts.dmarc.why);
    if (result === "pass") return [toPass(facts.dmarcResult, fromDomain), ...toEras(facts)];
    const provider = freemailProviderOf(fromDomain);
    if (provider !== null) return notApplicable(`${fromDomain} belongs to ${provider}. See freemail-from.`);
    const { alignedBy } = facts.dmarcResult;
    if (result === "none" && alignedBy.length > 0) return passed({ fromDomain, alignedBy: toNames(alignedBy) });
    const failure = toFailure(facts, fromDomain);
    return failure.known ? [failure.value, ...toEras(facts)] : skipped(failure.why);
  },
});

function toPass({ alignedBy, assumed }: DmarcResult, fromDomain: string): Raised<Finding> {
  return { finding: "pass", data: { fromDomain, alignedBy: toNames(alignedBy), assumed: assumed ? "assumed" : null } };
}

function toNames(alignedBy: DmarcResult["alignedBy"]): string[] {
  return alignedBy.map((by) => (by === "spf" ? "SPF" : "DKIM"));
}

/** DMARC fails for certain only when both SPF and DKIM are fully known. */
function toFailure(facts: ResultFacts, fromDomain: string): Fact<Raised<Finding>> {
  const { spf, dkim, kind, dmarcResult } = facts;
  if (!dkim.known) return dkim;
  if (!spf.known) return spf;
  if (!kind.forwarded.known) return kind.forwarded;
  const { verified, by, first } = kind.forwarded.value;
  if (verified && first?.dmarc === "pass")
    return known({ finding: "forwarded", data: { forwarder: by ?? "A forwarder", fromDomain } });
  const passing = toPassing(spf.value, dkim.value);
  const signers = dkim.value.signatures.slice(0, maxSignersShown).map(({ domain }) => domain);
  const evidence = { spf: spf.value.domain, signers };
  const results = [spf.value.result, ...dkim.value.signatures.map((signature) => signature.result)];
  // With a record, an open result that could align has already made DMARC temperror.
  const isOpen = results.includes("temperror") && (dmarcResult.result === "none" || passing.length === 0);
  if (isOpen) return unknown("timeout");
  if (passing.length === 0) {
    const owners = [`SPF (${spf.value.result})`, `DKIM (${toDkimWord(dkim.value)})`];
    const mendedBy = toRemedies(dkim.value, dmarcResult);
    const policy = policyOf(facts);
    if (policy !== null) return known(toEnforced(facts, { policy, fromDomain, mendedBy, evidence }));
    const data = { fromDomain, owners };
    return known({ finding: "unauthenticated", data, mendedBy, evidence, holds: toHolds(facts) });
  }
  const misaligned = toMisaligned(facts, passing, fromDomain);
  const policy = policyOf(facts);
  if (policy === null || misaligned.finding !== "unaligned") return known({ ...misaligned, evidence });
  const { mendedBy = [] } = misaligned;
  return known(toEnforced(facts, { policy, fromDomain, passing, mendedBy, evidence }));
}

const maxSignersShown = 10;

/** What would authenticate the author if it passed. An unsigned message can be signed for any domain. */
function toRemedies({ signatures }: Dkim, { spfAligned, dkimAligned }: DmarcResult): Proof[] {
  const bySpf = spfAligned.known && spfAligned.value;
  const byDkim = signatures.length === 0 || (dkimAligned.known && dkimAligned.value);
  return [...(bySpf ? ["spf" as const] : []), ...(byDkim ? ["dkim" as const] : [])];
}

function toMisaligned(facts: ResultFacts, passing: readonly string[], fromDomain: string): Raised<Finding> {
  const { dmarcResult, kind } = facts;
  const holds = toHolds(facts);
  const strict = toStrictOnly(facts, fromDomain);
  if (strict !== null) return { ...strict, holds };
  const { spf, dkim } = findFailing(facts);
  const failing = [...spf, ...dkim];
  const isOnPath = dmarcResult.spfAligned.known && dmarcResult.spfAligned.value;
  const data = {
    passing,
    fromDomain,
    failing: failing.length > 0 ? failing : null,
    signAs: failing.length > 0 ? null : fromDomain,
    orgDomain: isOnPath ? null : (dmarcResult.pslOrgDomain ?? fromDomain),
    esp: kind.esp?.name ?? null,
  };
  const mendedBy: Proof[] = [
    ...(spf.length > 0 ? ["spf" as const] : []),
    // An unsigned message can be signed for the From domain.
    ...(dkim.length > 0 || isUnsigned(facts) ? ["dkim" as const] : []),
  ];
  return { finding: "unaligned", data, mendedBy, holds };
}

function isUnsigned({ dkim }: ResultFacts): boolean {
  return dkim.known && dkim.value.signatures.length === 0;
}

function toPassing(spf: SpfResult, { signatures }: Dkim): string[] {
  const signers = signatures.flatMap(({ result, domain }) => (result === "pass" && domain ? [domain] : []));
  return [
    ...(spf.result === "pass" && spf.domain ? [`SPF for ${spf.domain}`] : []),
    ...[...new Set(signers)].map((domain) => `DKIM for ${domain}`),
  ];
}

/** A pass within the organization that only strict alignment tags rule out. */
function toStrictOnly(
  { spf, dkim, dmarc, dmarcResult: { relaxedWouldPass } }: ResultFacts,
  fromDomain: string,
): Raised<Finding> | null {
  if (!dmarc.known || dmarc.value.tags === null) return null;
  const { tags, foundAt, record, orgDomain } = dmarc.value;
  // If the organizational domain is unknown from DNS, the public suffix list decides. DMARC fails either way.
  const isNear = (domain: string | null) =>
    !orgDomain.known && domain !== null && toRegistrableDomain(domain) === toRegistrableDomain(fromDomain);
  const near = dkim.known
    ? dkim.value.signatures.filter(
        ({ result, aligned, domain }) => result === "pass" && (aligned.relaxed || isNear(domain)),
      )
    : [];
  const byDkim = tags.adkim === "s" ? near.flatMap(({ domain }) => (domain ? [`DKIM for ${domain}`] : [])) : [];
  const mayBeSpf = tags.aspf === "s" && spf.known && spf.value.result === "pass" && byDkim.length === 0;
  const isNearSpf = mayBeSpf && (relaxedWouldPass || isNear(spf.value.domain));
  if (byDkim.length === 0 && !isNearSpf) return null;
  const passing = isNearSpf && spf.known ? [`SPF for ${spf.value.domain}`] : byDkim;
  const strict = isNearSpf ? ["aspf"] : ["adkim"];
  return {
    finding: "strict-only",
    data: {
      passing,
      fromDomain,
      tags: strict.map((tag) => `${tag}=s`),
      name: `_dmarc.${foundAt}`,
      corrected: rewriteDmarc(record ?? "", { remove: strict }),
    },
  };
}

function toEras({ dmarcResult: { result, pslEraResult, pslOrgDomain }, dmarc }: ResultFacts): Raised<Finding>[] {
  if (pslEraResult === null || pslOrgDomain === null) return [];
  if ((result !== "pass" && result !== "fail") || pslEraResult === result) return [];
  const org = dmarc.known && dmarc.value.orgDomain.known ? dmarc.value.orgDomain.value : null;
  const orgDomain = org === pslOrgDomain ? null : org;
  return [{ finding: "eras-differ", data: { oldResult: pslEraResult, result, oldOrgDomain: pslOrgDomain, orgDomain } }];
}
