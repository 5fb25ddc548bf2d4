import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { fromDomainOf } from "../party.ts";
import { findMx, leadsNowhere, takesMail } from "./mail-domain.ts";

export const envelopeDomain = defineCheck({
  id: "envelope-domain",
  helpPage: "fix-mx",
  label: "Return-path domain",
  owner: "dns",
  asks: "whether the return path can receive bounces",
  why: "If bounces get lost, you keep sending to dead addresses.",
  refs: ["RFC 5321 §4.4", "RFC 7505", "Yahoo sender rules"],
  needs: ["session", "mx"],
  wants: ["message", "kind"],
  passes: "The return-path domain {domain} accepts bounces.",
  findings: {
    "not-found": {
      severity: "critical",
      title: "Return-path domain does not exist",
      says: "The return-path domain {domain} does not exist.",
      fix: "Publish it in DNS, or use a return path at an existing domain.",
      gates: [{ provider: "yahoo", sender: "any", reply: "451, then 554 (unresolvable RFC.5321 from domain)" }],
    },
    "no-mail-host": {
      severity: "major",
      title: "Bounces cannot be delivered",
      says: "Bounces to {domain} get lost because it accepts no mail.",
      fix: "Publish `{domain}. MX 10 {host}`[[ with the hostname that {esp} gives you]].",
    },
  },
  run({ session: { mailFrom }, mx: rows, message, kind }) {
    if (mailFrom === null) return notApplicable("No return path was given.");
    if (mailFrom === "") return notApplicable("The return path is empty.");
    const domain = toAsciiDomain(mailFrom.slice(mailFrom.lastIndexOf("@") + 1));
    if (domain === null) return notApplicable("The return path has no valid domain.");
    if (message.known && domain === fromDomainOf(message.value))
      return notApplicable("The return path uses the From domain, which has its own check.");
    const mx = findMx(rows, domain);
    if (!mx.known) return skipped(mx.why);
    if (!mx.value.exists) return [{ finding: "not-found", data: { domain } }];
    const takes = takesMail(mx.value);
    if (!takes.known) return skipped(takes.why);
    if (takes.value) return passed({ domain });
    const esp = kind.known ? (kind.value.esp?.name ?? null) : null;
    const host = `mail.${toRegistrableDomain(domain)}`;
    const ownedBy = leadsNowhere(mx.value) ? ("mx-hosts.unresolvable" as const) : null;
    return [{ finding: "no-mail-host", data: { domain, host, esp }, ...(ownedBy && { ownedBy }) }];
  },
});
