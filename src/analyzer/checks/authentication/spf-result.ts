import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { SpfResult } from "../authentication-facts.ts";
import { defineCheck, notApplicable, type Raised, skipped, type Verdict } from "../check.ts";
import { type Fact, known } from "../fact.ts";
import type { Forwarded } from "../kind.ts";
import { allowAddress, correctRecord, endWith, toMechanism } from "./spf-correction.ts";
import { unprovenSpfGates } from "./spf-joints.ts";
import { findProvider } from "./spf-owner.ts";

type Finding = "fail" | "softfail" | "neutral" | "forwarded" | "pass";

export const spfResult = defineCheck({
  id: "spf-result",
  helpPage: "fix-spf",
  label: "SPF result",
  owner: "dns",
  asks: "whether the sending IP may send for the return-path domain",
  why: "Gmail and Outlook reject bulk mail that does not pass SPF, even if DKIM passes.",
  refs: ["RFC 7208 §2.6", "RFC 9989", "Gmail, Microsoft sender rules"],
  needs: ["spf", "session", "kind"],
  wants: ["message", "own", "dmarcResult"],
  passes: "",
  findings: {
    fail: {
      severity: "major",
      title: "SPF fails",
      says: '{ip} is not allowed to send for {domain}, because the SPF record[[ for {holder}]] says "{matchedTerm}".',
      fix: "[[If {relay} only forwards mail, leave the record as it is, because DKIM passes. ]][[Ask {provider} to allow this server.]][[Send through your usual server. If {own} is yours, add it to the record]][[: `{corrected}`]]",
      gates: [{ provider: "gmail", sender: "any", may: true, reply: "550 5.7.26" }, ...unprovenSpfGates],
    },
    softfail: {
      severity: "major",
      title: "SPF softfail",
      says: '{ip} is not listed for {domain}, and the SPF record[[ for {holder}]] says "{matchedTerm}".',
      fix: "[[If {relay} only forwards mail, leave the record as it is, because DKIM passes. ]][[Ask {provider} to allow this server.]][[Send through your usual server. If {own} is yours, add it to the record]][[: `{corrected}`]]",
      gates: unprovenSpfGates,
    },
    neutral: {
      severity: "major",
      title: "SPF result is neutral",
      says: "The SPF record for {domain} neither allows nor forbids {ip}.",
      fix: "[[Ask {provider} to allow this server.]][[Add `{mechanism}` for this server, and end the record with `~all` or `-all`]][[: `{corrected}`]]",
      gates: unprovenSpfGates.filter(({ provider }) => provider === "outlook"),
    },
    forwarded: {
      severity: "info",
      title: "SPF failed after forwarding",
      says: "SPF fails for {ip} because {forwarder} forwarded the message. SPF passed before that.",
      fix: "No action needed by the sender.",
    },
    pass: { severity: "good", title: "SPF passes", says: "{ip} may send for {domain}[[ ({matchedTerm})]].", fix: null },
  },
  run({ spf, session, kind, message, own, dmarcResult }) {
    const { domain, result } = spf;
    const ip = session.clientAddress;
    if (!session.isPublic || ip === null) return notApplicable("The message did not come from a public IP.");
    if (result === "temperror") return skipped("timeout");
    if (result === "none" || result === "permerror" || domain === null)
      return notApplicable(spf.problem ?? "SPF does not apply to this message.");
    const { matchedTerm } = spf;
    if (result === "pass") return [{ finding: "pass", data: { ip, domain, matchedTerm }, evidence: toEvidence(spf) }];
    const forwarding = judgeForwarded(kind.forwarded, spf, ip);
    if (forwarding !== null) return forwarding;
    const provider = findProvider(domain, { message, own, kind: known(kind) });
    const isSigned = dmarcResult.known && dmarcResult.value.alignedBy.includes("dkim");
    const relay = isSigned ? findRelay(session.helo, domain) : null;
    return [{ finding: result, data: toData(spf, ip, provider, relay), evidence: toEvidence(spf) }];
  },
});

/** Null if the message came straight from its sender. A forwarder without a valid ARC chain does not count. */
function judgeForwarded(forwarded: Fact<Forwarded>, { result }: SpfResult, ip: string): Verdict<Finding> | null {
  if (!forwarded.known) return skipped(forwarded.why);
  const { verified, by, first } = forwarded.value;
  if (!verified) return null;
  if (result === "neutral" || first?.spf?.toLowerCase() !== "pass")
    return notApplicable("SPF was checked for the forwarder's IP, not the sender's.");
  return [{ finding: "forwarded", data: { ip, forwarder: by ?? "a forwarder" } }];
}

/** A server of another organization may have forwarded the message. No SPF record should allow it. */
function findRelay(helo: string | null, domain: string): string | null {
  const host = helo === null ? null : toAsciiDomain(helo);
  if (host === null || !host.includes(".") || /^[[\d]/.test(host)) return null;
  return toRegistrableDomain(host) === toRegistrableDomain(domain) ? null : host;
}

function toData(
  spf: SpfResult,
  ip: string,
  provider: string | null,
  relay: string | null,
): NonNullable<Raised["data"]> {
  const { domain, matchedTerm, matchedIn } = spf;
  const holder = matchedIn?.toLowerCase() === domain?.toLowerCase() ? null : matchedIn;
  const corrected = correctRecord(spf.record, (terms) => {
    const allowed = allowAddress(ip, terms);
    return spf.result === "neutral" ? endWith("~all", allowed) : allowed;
  });
  const own = provider === null ? { own: ip, mechanism: toMechanism(ip), corrected } : {};
  return { ip, domain, matchedTerm: matchedTerm ?? "all", holder, provider, relay, ...own };
}

function toEvidence({ identity, record, matchedIn, explanation }: SpfResult) {
  return { identity, record, matchedIn, explanation };
}
