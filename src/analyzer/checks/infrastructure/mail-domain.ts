// The domain to check, of the From address or the bare domain itself, and what DNS says about its mail.

import type { Message } from "../../mail/mime/message.ts";
import { notApplicable, skipped } from "../check.ts";
import { type Fact, known, type Why } from "../fact.ts";
import type { History } from "../facts.ts";
import type { MxFact, Row } from "../infrastructure-facts.ts";
import { fromDomainOf } from "../party.ts";

type MailDomain =
  | { readonly mx: MxFact; readonly isBare: boolean }
  | { readonly notApplicable: string }
  | { readonly skipped: Why };

export function toMailDomain(message: Fact<Message>, rows: readonly Row<MxFact>[]): MailDomain {
  // Only a bare domain has no message.
  const isBare = !message.known && message.why === "no-message";
  if (!message.known && !isBare) return skipped(message.why);
  const domain = message.known ? fromDomainOf(message.value) : rows[0]?.of;
  if (domain === null || domain === undefined) return notApplicable("The From header has no valid domain.");
  const mx = findMx(rows, domain);
  return mx.known ? { mx: mx.value, isBare } : skipped(mx.why);
}

export function findMx(rows: readonly Row<MxFact>[], domain: string): Fact<MxFact> {
  const fact = rows.find(({ of }) => of === domain)?.fact ?? { known: false, why: "budget" };
  return fact.known ? { known: true, value: withHostsOf(fact.value, rows) } : fact;
}

/** Some domains' hosts are not looked up. If another domain has the same hosts, its answers are used. */
function withHostsOf(mx: MxFact, rows: readonly Row<MxFact>[]): MxFact {
  if (mx.hosts.every(({ addresses }) => addresses.known)) return mx;
  const found = rows.flatMap(({ fact }) => (fact.known ? fact.value.hosts : []));
  const hosts = mx.hosts.map(
    (host) => found.find(({ name, addresses }) => name === host.name && addresses.known) ?? host,
  );
  return { ...mx, hosts };
}

/** Mail goes to the MX hosts, or without any to the domain's own address (RFC 5321 §5.1). */
export function takesMail(mx: MxFact): Fact<boolean> {
  const { nullMx, hosts, addresses } = mx;
  if (nullMx || leadsNowhere(mx)) return known(false);
  if (hosts.length > 0) return known(true);
  if (addresses === null) return known(false);
  return addresses.known ? known(addresses.value.length > 0) : addresses;
}

/** There are MX hosts, but none of them has an address. */
export function leadsNowhere({ hosts, hostsLeftOut }: MxFact): boolean {
  if (hosts.length === 0 || hostsLeftOut > 0) return false;
  return hosts.every(({ addresses }) => addresses.known && addresses.value.length === 0);
}

/** This server has received signed mail from the domain. */
export function wasSeenSending(history: Fact<History>): boolean {
  return history.known && history.value.selectorsSeen.length > 0;
}
