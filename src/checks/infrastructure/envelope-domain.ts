import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { fromDomainOf } from "../party.ts";
import { findMx, leadsNowhere, takesMail } from "./mail-domain.ts";

export const envelopeDomain = defineCheck({
  id: "envelope-domain",
  area: "infrastructure",
  label: "Return-path domain",
  owner: "dns",
  asks: "whether the return path can take bounces",
  why: "Lost bounces lead to mail for dead addresses.",
  refs: ["RFC 5321 §4.4", "RFC 7505", "Yahoo sender rules"],
  needs: ["session", "mx"],
  wants: ["message", "kind"],
  kinds: "all",
  domain: "no",
  passes: "{domain}, the return path's domain, takes bounces.",
  findings: {
    "not-found": {
      severity: "critical",
      cost: 45,
      title: "Return-path domain does not exist",
      says: "{domain}, the return path's domain, does not exist.",
      fix: "Publish it, or set a return path at an existing domain.",
      gates: [
        { provider: "yahoo", sender: "any", reply: "451, then 554 (unresolvable RFC.5321 from domain)" },
      ],
    },
    "no-mail-host": {
      severity: "major",
      cost: 18,
      title: "Bounces cannot be delivered",
      says: "Bounces to {domain} are lost: it takes no mail.",
      fix: "Publish `{domain}. MX 10 {host}`[[ with the host that {esp} names]].",
    },
  },
  run({ session: { mailFrom }, mx: rows, message, kind }) {
    if (mailFrom === null) return notApplicable("Nobody said what the return path would be.");
    if (mailFrom === "") return notApplicable("The return path is empty.");
    const domain = toAsciiDomain(mailFrom.slice(mailFrom.lastIndexOf("@") + 1));
    if (domain === null) return notApplicable("The return path names no domain that DNS could know.");
    if (message.known && domain === fromDomainOf(message.value))
      return notApplicable("It is the From domain, which is judged by itself.");
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
