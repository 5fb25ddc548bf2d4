import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { authorOf, noAuthor, quoted } from "../party.ts";
import { isAuthentic } from "./envelope-sender.ts";

export const freemailFrom = defineCheck({
  id: "freemail-from",
  area: "identity",
  label: "Free mailbox sender",
  owner: "email-service",
  asks: "whether a free mailbox address really comes from its provider",
  why: "Gmail.com, yahoo.com, icloud.com and others tell receivers to refuse copies, or to take them for spam.",
  refs: ["Gmail, Yahoo, Apple sender rules"],
  needs: ["message", "dmarcResult", "kind"],
  wants: ["dmarc", "spf", "dkim"],
  kinds: "all",
  byKind: true,
  domain: "no",
  passes: "{address} is a mailbox at {provider}, and the message came from there.",
  findings: {
    elsewhere: {
      severity: "critical",
      cost: 45,
      title: "Free mailbox address sent elsewhere",
      says: "{address} belongs to {provider}, but the message did not come from there.",
      fix: "Send from a domain of your own, and put {address} into Reply-To.",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "policy-rejects" },
        { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "nothing-passes" },
        { provider: "gmail", sender: "any", reply: "spam folder", when: "gmail-mailbox" },
        { provider: "gmail", sender: "bulk", reply: "421 4.7.32, then refusal" },
        { provider: "outlook", sender: "any", reply: "550 5.7.509", when: "policy-rejects" },
        { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
        { provider: "yahoo", sender: "any", reply: "554 5.7.9", when: "policy-rejects" },
        { provider: "yahoo", sender: "any", reply: "550 5.7.9", when: "nothing-passes" },
        { provider: "apple", sender: "any", reply: "550 5.7.1", when: "policy-rejects" },
        { provider: "apple", sender: "any", reply: "554 5.7.1 [HME1]", when: "nothing-passes" },
      ],
    },
    bulk: {
      severity: "major",
      cost: 18,
      title: "Bulk mail from free mailbox",
      says: "Bulk mail is sent from a personal {provider} mailbox.",
      fix: "Use a domain of your own with an e-mail service.",
    },
  },
  run({ message, dmarcResult, kind, ...proofs }) {
    const author = authorOf(message);
    if (author === null || dmarcResult.fromDomain === null) return notApplicable(noAuthor);
    const provider = freemailProviderOf(author.domain);
    if (provider === null) return notApplicable("From is at a domain of its own.");
    const data = { address: quoted(author.address), provider };
    const authentic = isAuthentic(dmarcResult);
    if (!authentic.known) return skipped(authentic.why);
    if (authentic.value)
      return kind.kind === "bulk" && !kind.mailingList
        ? [{ finding: "bulk", data: { provider } }]
        : passed(data);
    if (wasAuthentic(kind))
      return notApplicable("It did come from there, says the verified chain of its forwarders.");
    return [{ finding: "elsewhere", data, holds: toHolds(proofs, provider) }];
  },
});

/** Only few of these domains ask that all be refused; Gmail puts what misuses its own among spam. */
function toHolds(
  { dmarc, spf, dkim }: Pick<KnownFacts, "dmarc" | "spf" | "dkim">,
  provider: string,
): string[] {
  const hasReject = dmarc.known && dmarc.value.effective === "reject";
  const failsSpf = spf.known && !/^(?:pass|temperror)$/.test(spf.value.result);
  const failsDkim =
    dkim.known && dkim.value.signatures.every(({ result }) => result !== "pass" && result !== "temperror");
  return [
    ...(hasReject ? ["policy-rejects"] : []),
    ...(failsSpf && failsDkim ? ["nothing-passes"] : []),
    ...(provider === "Gmail" ? ["gmail-mailbox"] : []),
  ];
}

/** Whoever forwarded it saw DMARC pass, and ARC vouches for that. */
function wasAuthentic({ forwarded }: Facts["kind"]): boolean {
  return forwarded.known && forwarded.value.verified && forwarded.value.first?.dmarc === "pass";
}
