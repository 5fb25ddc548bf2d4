import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { authorOf, noAuthor, quoted } from "../party.ts";
import { sharedServiceOf } from "../relays.ts";
import { isAuthentic } from "./envelope-sender.ts";

export const freemailFrom = defineCheck({
  id: "freemail-from",
  helpPage: "fix-sender-identity",
  label: "Free mailbox sender",
  owner: "email-service",
  asks: "whether the From address is at a free mailbox or hosting service",
  why: "Gmail, Yahoo, iCloud, and others ask receivers to reject such mail or treat it as spam when it comes from elsewhere.",
  refs: ["Gmail, Yahoo, Apple sender rules", "Exchange Online limits"],
  needs: ["message", "dmarcResult", "kind"],
  wants: ["dmarc", "spf", "dkim"],
  byKind: true,
  passes: "The address {address} belongs to {provider}, which sent the message.",
  findings: {
    elsewhere: {
      severity: "critical",
      title: "Free mailbox via another server",
      says: "The address {address} belongs to {provider}, but {provider} did not send the message.",
      fix: "Send from your own domain, and set Reply-To to {address}.",
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
      title: "Bulk mail from free mailbox",
      says: "This bulk mail comes from a personal {provider} mailbox.",
      fix: "Use your own domain with an email service.",
    },
    "default-domain": {
      severity: "major",
      title: "Default domain of a hosting service",
      says: "The From domain {domain} is one that {service} gives to every customer for free.",
      fix: "Send from your own domain, and set it up at {service}.",
      why: "All customers of the service share the reputation of its domain, and spammers are among them.",
    },
  },
  run({ message, dmarcResult, kind, ...proofs }) {
    const author = authorOf(message);
    if (author === null || dmarcResult.fromDomain === null) return notApplicable(noAuthor);
    const service = sharedServiceOf(author.domain);
    if (service?.isHosting)
      return [{ finding: "default-domain", data: { domain: quoted(author.domain), service: service.name } }];
    const provider = freemailProviderOf(author.domain);
    if (provider === null) return notApplicable("The From address is not a free mailbox address.");
    const data = { address: quoted(author.address), provider };
    const authentic = isAuthentic(dmarcResult);
    if (!authentic.known) return skipped(authentic.why);
    if (authentic.value)
      return kind.kind === "bulk" && !kind.mailingList ? [{ finding: "bulk", data: { provider } }] : passed(data);
    if (wasAuthentic(kind)) return notApplicable("A verified ARC chain shows that the provider sent the message.");
    return [{ finding: "elsewhere", data, holds: toHolds(proofs, provider) }];
  },
});

/** Only a few of these domains publish p=reject. Gmail sends spoofed Gmail addresses to spam. */
function toHolds({ dmarc, spf, dkim }: Pick<KnownFacts, "dmarc" | "spf" | "dkim">, provider: string): string[] {
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

/** The forwarder saw DMARC pass, and ARC confirms it. */
function wasAuthentic({ forwarded }: Facts["kind"]): boolean {
  return forwarded.known && forwarded.value.verified && forwarded.value.first?.dmarc === "pass";
}
