import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import type { MxFact } from "../infrastructure-facts.ts";
import { leadsNowhere, takesMail, toMailDomain, wasSeenSending } from "./mail-domain.ts";

export const fromDomain = defineCheck({
  id: "from-domain",
  helpPage: "fix-mx",
  label: "From domain",
  owner: "dns",
  asks: "whether the From domain exists and accepts mail",
  why: "Recipients reply to this domain, and receivers check it.",
  refs: ["RFC 5321 §5.1", "RFC 7505", "Yahoo sender rules"],
  needs: ["mx"],
  wants: ["message", "history"],
  passes: "{domain} exists[[ and {does}]].",
  findings: {
    "not-found": {
      severity: "critical",
      title: "Domain does not exist",
      says: "{domain}[[, the domain of {role},]] does not exist.",
      fix: "Use an existing domain, or publish this one in DNS.",
      gates: [
        { provider: "yahoo", sender: "any", reply: "554 (unresolvable RFC.5322 from domain)" },
        { provider: "apple", sender: "any", reply: "450 4.1.8" },
      ],
    },
    "null-mx": {
      severity: "major",
      title: "Domain accepts no mail",
      says: "{domain} sends mail but declares that it accepts none (null MX).",
      fix: "Publish a real MX record at {domain}, or send from a domain that accepts replies.",
      gates: [
        { provider: "yahoo", sender: "any", reply: "554" },
        { provider: "other", sender: "any", reply: "550 5.7.27 (receivers that follow RFC 7505)" },
      ],
    },
    "no-mail-host": {
      severity: "major",
      title: "Replies cannot be delivered",
      says: "Replies to {domain} cannot be delivered because it has no MX, A, or AAAA record.",
      fix: "Publish `{domain}. MX 10 {host}`.",
    },
    "wildcard-only": {
      severity: "info",
      title: "Domain exists only as wildcard",
      says: "{domain} exists only because of a DNS wildcard, so Yahoo may treat it as nonexistent.",
      fix: "Publish explicit MX and A records at {domain}.",
    },
  },
  run({ mx: rows, message, history }) {
    const asked = toMailDomain(message, rows);
    if (!("mx" in asked)) return asked;
    const { mx, isBare } = asked;
    const { domain, exists, nullMx } = mx;
    if (!exists) return [{ finding: "not-found", data: { domain, role: isBare ? null : "the From address" } }];
    // The check mx-hosts reports the hosts. This one only says less when it passes.
    if (leadsNowhere(mx)) return passed({ domain, does: null });
    const takes = takesMail(mx);
    if (!takes.known) return skipped(takes.why);
    if (!takes.value && isBare && !wasSeenSending(history))
      return notApplicable("The domain accepts no mail, and no mail from it was seen.");
    if (nullMx) return [{ finding: "null-mx", data: { domain } }];
    const host = `mail.${toRegistrableDomain(domain)}`;
    if (!takes.value) return [{ finding: "no-mail-host", data: { domain, host } }];
    return isWildcardOnly(mx)
      ? [{ finding: "wildcard-only", data: { domain } }]
      : passed({ domain, does: "accepts mail" });
  },
});

function isWildcardOnly({ soa, wildcard }: MxFact): boolean {
  return wildcard.known && wildcard.value && soa.known && !soa.value;
}
