import { isWithin } from "../../dns/answer.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, passed } from "../check.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import { isLocalName } from "../party.ts";
import { toFromDomain } from "./spf-owner.ts";

export const dkimPresent = defineCheck({
  id: "dkim-present",
  helpPage: "fix-dkim",
  label: "DKIM signature",
  owner: "email-service",
  asks: "whether the message is signed",
  why: "Unlike SPF, DKIM survives forwarding.",
  refs: ["RFC 6376", "Gmail, Yahoo, Microsoft, Apple sender rules"],
  needs: ["dkim", "kind"],
  wants: ["spf", "message", "volume"],
  byKind: true,
  passes: "The message is DKIM-signed[[ by {domains}]][[, but not by {fromDomain}]].",
  findings: {
    "missing-bulk": {
      severity: "critical",
      title: "Bulk mail without DKIM signature",
      says: "This bulk message has no DKIM signature.",
      fix: "{how}.",
      gates: [
        { provider: "gmail", sender: "bulk", reply: "550 5.7.30" },
        { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
        { provider: "yahoo", sender: "bulk", reply: "550 5.7.9" },
        { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "spf-fails" },
        { provider: "apple", sender: "any", reply: "554 5.7.1 [HME1]", when: "spf-fails" },
      ],
    },
    missing: {
      severity: "major",
      title: "DKIM signature missing",
      says: "The message has no DKIM signature[[. Only SPF passes, for {spfDomain}, and forwarding breaks SPF]].",
      fix: "{how}.",
      gates: [
        { provider: "gmail", sender: "any", reply: "550 5.7.26", when: "spf-fails" },
        { provider: "apple", sender: "any", reply: "554 5.7.1 [HME1]", when: "spf-fails" },
      ],
    },
  },
  run({ dkim, kind, spf, message, volume }) {
    const { signatures } = dkim;
    if (signatures.length > 0) {
      const domains = new Set(
        signatures.flatMap(({ domain, assumed }) => (domain ? `${domain}${assumed ? " (assumed)" : ""}` : [])),
      );
      const fromDomain = message.known ? toFromDomain(message.value) : null;
      const isOwn =
        fromDomain === null || signatures.some(({ domain }) => domain === null || couldAlign(domain, fromDomain));
      return passed({ domains: [...domains], fromDomain: isOwn ? null : fromDomain });
    }
    const result = spf.known ? spf.value.result : "temperror";
    const data = { how: howToSign(message, kind), spfDomain: spf.known && result === "pass" ? spf.value.domain : null };
    const holds = result === "pass" || result === "temperror" ? [] : ["spf-fails"];
    // Providers count volume by From domain, and the members of a mailing list send from different ones.
    const isSmall = volume.known && volume.value === "small";
    const isBulk = kind.kind === "bulk" && !kind.mailingList && !isSmall;
    return [{ finding: isBulk ? "missing-bulk" : "missing", data, holds }];
  },
});

/** A parent domain could be the organizational domain, which DNS decides. */
function couldAlign(signer: string, author: string): boolean {
  return toRegistrableDomain(signer) === toRegistrableDomain(author) || isWithin(author, signer);
}

function howToSign(message: KnownFacts["message"], { esp, mailingList }: Facts["kind"]): string {
  const domain = message.known ? toFromDomain(message.value) : null;
  const signer = esp?.name ?? "your mail server";
  if (domain === null || isLocalName(domain))
    return `Use your domain in the From header, and turn on DKIM for it at ${signer}`;
  const provider = freemailProviderOf(domain);
  if (provider !== null && mailingList)
    return `Ask the list owner to keep ${provider}'s signature intact, or to sign the mail that the list sends`;
  if (provider !== null) return `Send it through ${provider}, which signs it, or send from your own domain`;
  return `Turn on DKIM for ${domain} at ${signer}, and publish the key that it gives you at \`<selector>._domainkey.${domain}\``;
}
