// Provider rules about SPF, DKIM, DMARC and the session, judged by the facts instead of by findings.

import { readListAddresses } from "../../mail/headers/list-header.ts";
import { hasOwnSession } from "../../mail/session/doors.ts";
import type { AlignedSignature } from "../authentication-facts.ts";
import type { Unknown } from "../fact.ts";
import { valuesOf } from "../mail-domain.ts";
import { authorOf, noAuthor, quoted } from "../party.ts";
import { met, notMet, type RuleFacts, type RuleOutcome } from "../tally.ts";

type JudgeRule = (seen: RuleFacts) => RuleOutcome;
type Rest = (seen: RuleFacts, byFindings: RuleOutcome) => RuleOutcome;

/** Met if either rule is met. */
export function either(one: JudgeRule, other: JudgeRule): JudgeRule {
  return (seen) => {
    const standings = [one(seen), other(seen)];
    return standings.find(isMet) ?? standings.find(isOpen) ?? notMet(whysOf(standings));
  };
}

/** Met if both rules are met. */
export function both(one: JudgeRule, other: JudgeRule): JudgeRule {
  return (seen) => {
    const standings = [one(seen), other(seen)];
    const failing = standings.filter((standing) => !isMet(standing) && !isOpen(standing));
    if (failing.length > 0) return failing.find(isAbsent) ?? notMet(whysOf(failing));
    return standings.find(isOpen) ?? met(whysOf(standings));
  };
}

const isMet = (standing: RuleOutcome) => "met" in standing && standing.met;
const isOpen = (standing: RuleOutcome) => "unknown" in standing;
const isAbsent = (standing: RuleOutcome) => "notApplicable" in standing;

function whysOf(standings: readonly RuleOutcome[]): string {
  return standings.flatMap((standing) => ("why" in standing ? [standing.why] : [])).join(" ");
}

function unknownOf(fact: Unknown | undefined): RuleOutcome {
  return { unknown: fact?.why ?? "no-message" };
}

/** Without a domain in From, nothing about it is looked up. */
function withoutAuthor(fact: Unknown | undefined): RuleOutcome {
  const isAuthorless = fact === undefined || fact.why === "no-message" || fact.why === "parser-failed";
  return isAuthorless ? { notApplicable: noAuthor } : { unknown: fact.why };
}

export function spfPasses(seen: RuleFacts): RuleOutcome {
  const { spf } = seen.facts;
  if (!spf?.known) return unknownOf(spf);
  const { result, domain } = spf.value;
  const name = domain === null ? "the sender" : quoted(domain);
  if (result === "pass") return met(`SPF passes for ${name}${ifAssumed(spf.value)}.`);
  if (result === "temperror") return { unknown: "timeout" };
  return beforeForwarding(seen, "spf") ?? notMet(`SPF does not pass for ${name} (${result}).`);
}

/** Only RSA signatures count, because no large provider is known to accept Ed25519 alone. */
export function dkimPasses(seen: RuleFacts): RuleOutcome {
  const { dkim } = seen.facts;
  if (!dkim?.known) return unknownOf(dkim);
  const { signatures } = dkim.value;
  const passing = signatures.filter(({ result }) => result === "pass");
  const read = passing.find(isRsa);
  if (read) return met(`The ${quoted(read.domain ?? "")} DKIM signature passes${ifAssumed(read)}.`);
  if (signatures.some((one) => one.result === "temperror" || one.why === "key-unknown")) return { unknown: "timeout" };
  return beforeForwarding(seen, "dkim") ?? notMet(whyNoSignature(signatures.length, passing.length));
}

function ifAssumed({ assumed }: { readonly assumed?: true }): string {
  return assumed ? " (assumed)" : "";
}

function isRsa({ algorithm }: AlignedSignature): boolean {
  return algorithm?.startsWith("rsa") ?? false;
}

function whyNoSignature(count: number, passing: number): string {
  if (count === 0) return "The message has no DKIM signature.";
  if (passing > 0) return "Only an Ed25519 signature passes, which few receivers verify.";
  return count === 1 ? "The DKIM signature does not pass." : `None of the ${count} DKIM signatures passes.`;
}

/** Met by any policy, even `p=none`. */
export function dmarcPublished({ facts: { dmarc } }: RuleFacts): RuleOutcome {
  if (!dmarc?.known) return withoutAuthor(dmarc);
  const { domain, foundAt, policy } = dmarc.value;
  if (foundAt === null) return notMet(`No DMARC record covers ${quoted(domain)}.`);
  if (policy === null) return notMet(`The DMARC record at _dmarc.${quoted(foundAt)} has no policy.`);
  return met(`The DMARC record at _dmarc.${quoted(foundAt)} has the policy ${policy}.`);
}

/** SPF or DKIM passes for the From domain's organization, whether or not it publishes a policy. */
export function aligns(seen: RuleFacts): RuleOutcome {
  const { facts, outcomes } = seen;
  const { dmarcResult } = facts;
  if (!dmarcResult?.known) return withoutAuthor(dmarcResult);
  const { fromDomain, alignedBy, result } = dmarcResult.value;
  if (fromDomain === null) return { notApplicable: noAuthor };
  const name = quoted(fromDomain);
  if (alignedBy.length > 0) return met(`${toNames(alignedBy)} for ${name}${ifAssumed(dmarcResult.value)}.`);
  const judged = outcomes.get("dmarc-result");
  if (judged?.outcome === "skipped") return { unknown: judged.why };
  if (result === "temperror") return { unknown: "timeout" };
  return beforeForwarding(seen, "dmarc") ?? notMet(`Neither SPF nor DKIM passes for ${name}.`);
}

function toNames(proofs: readonly string[]): string {
  const names = proofs.map((proof) => proof.toUpperCase()).join(" and ");
  return `${names} ${proofs.length > 1 ? "pass" : "passes"}`;
}

/** Met if a valid ARC chain says that the message passed when sent. Forwarding does not break the sender's rules. */
function beforeForwarding({ kind }: RuleFacts, by: "spf" | "dkim" | "dmarc"): RuleOutcome | null {
  if (!kind.forwarded.known) return unknownOf(kind.forwarded);
  const { verified, by: forwarder, first } = kind.forwarded.value;
  if (!verified || first?.[by] !== "pass") return null;
  return met(`${by.toUpperCase()} passed before ${quoted(forwarder ?? "a forwarder")} forwarded the message.`);
}

/** Unknown for messages that didn't arrive over SMTP, which show nothing about their server's session. */
export const ifHeard: Rest = ({ facts: { session } }, byFindings) =>
  session?.known && !hasOwnSession(session.value) ? { unknown: "no-session" } : byFindings;

export const ifClientKnown: Rest = ({ facts: { session } }, byFindings) =>
  session?.known && session.value.clientAddress === null ? { unknown: "no-session" } : byFindings;

/** Does not apply to mailing list posts, because unsubscribing concerns the list, not a single post. */
export const unlessListPost: Rest = ({ kind }, byFindings) =>
  kind.mailingList && isMet(byFindings) ? { notApplicable: "A mailing list post is not marketing mail." } : byFindings;

/** RFC 8058 §3: one-click counts only under a valid signature. Other checks report why there is none. */
export const ifSigned: Rest = (seen, byFindings) => {
  const { dkim } = seen.facts;
  if (!isMet(byFindings) || !dkim?.known) return byFindings;
  if (dkim.value.signatures.some(({ result }) => result === "pass" || result === "temperror")) return byFindings;
  return beforeForwarding(seen, "dkim") === null
    ? notMet("No valid DKIM signature covers List-Unsubscribe, so it does not count as one-click.")
    : byFindings;
};

/** One-click as above, or an email address in a usable List-Unsubscribe header. */
export const ifSignedOrByMail: Rest = (seen, byFindings) => {
  const { message } = seen.facts;
  const isUnusable = seen.faults.some(
    ({ id }) => id === "list-unsubscribe.missing" || id === "list-unsubscribe.unusable",
  );
  const [value = ""] = message?.known ? valuesOf(message.value, "list-unsubscribe") : [];
  return !isUnusable && readListAddresses(value).mailto.length > 0
    ? met("List-Unsubscribe has an email address.")
    : ifSigned(seen, byFindings);
};

/** Mail from the provider's own mailboxes must come from its own servers. */
export function notFrom(provider: string, domains: readonly string[]): Rest {
  return ({ facts: { message } }, byFindings) => {
    if (!message?.known) return unknownOf(message);
    const author = authorOf(message.value);
    if (author === null) return { notApplicable: noAuthor };
    if (domains.includes(author.domain)) return byFindings;
    return met(`The From domain ${quoted(author.domain)} does not belong to ${provider}.`);
  };
}

export function sealedByForwarder({ kind, facts: { arc } }: RuleFacts): RuleOutcome {
  if (!kind.forwarded.known) return unknownOf(kind.forwarded);
  if (!kind.forwarded.value.is) return { notApplicable: "The message was not forwarded." };
  if (!arc?.known) return unknownOf(arc);
  if (arc.value.result === "temperror") return { unknown: "timeout" };
  if (!arc.value.present) return notMet("The message was forwarded without an ARC seal.");
  return arc.value.result === "pass"
    ? met("The forwarder's ARC chain is valid.")
    : notMet("The forwarder's ARC chain is broken.");
}
