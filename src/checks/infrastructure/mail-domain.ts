// The domain in question and what DNS says of its mail: that of the From address, or the bare domain itself.

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
  // The one reason that only a bare domain has.
  const isBare = !message.known && message.why === "no-message";
  if (!message.known && !isBare) return skipped(message.why);
  const domain = message.known ? fromDomainOf(message.value) : rows[0]?.of;
  if (domain === null || domain === undefined)
    return notApplicable("The From header names no domain that DNS could know.");
  const mx = findMx(rows, domain);
  return mx.known ? { mx: mx.value, isBare } : skipped(mx.why);
}

export function findMx(rows: readonly Row<MxFact>[], domain: string): Fact<MxFact> {
  const fact = rows.find(({ of }) => of === domain)?.fact ?? { known: false, why: "budget" };
  return fact.known ? { known: true, value: withHostsOf(fact.value, rows) } : fact;
}

/** The hosts of some domains are not asked for; what was found of the same hosts for another domain holds for them too. */
function withHostsOf(mx: MxFact, rows: readonly Row<MxFact>[]): MxFact {
  if (mx.hosts.every(({ addresses }) => addresses.known)) return mx;
  const found = rows.flatMap(({ fact }) => (fact.known ? fact.value.hosts : []));
  const hosts = mx.hosts.map(
    (host) => found.find(({ name, addresses }) => name === host.name && addresses.known) ?? host,
  );
  return { ...mx, hosts };
}

/** Neither hosts of its own nor an address that stands in for them (RFC 5321 §5.1); unknown while DNS does not tell. */
export function takesMail(mx: MxFact): Fact<boolean> {
  const { nullMx, hosts, addresses } = mx;
  if (nullMx || leadsNowhere(mx)) return known(false);
  if (hosts.length > 0) return known(true);
  if (addresses === null) return known(false);
  return addresses.known ? known(addresses.value.length > 0) : addresses;
}

/** It names MX hosts, and none of them has an address. */
export function leadsNowhere({ hosts, hostsLeftOut }: MxFact): boolean {
  if (hosts.length === 0 || hostsLeftOut > 0) return false;
  return hosts.every(({ addresses }) => addresses.known && addresses.value.length === 0);
}

/** Signed mail from it has come here. */
export function wasSeenSending(history: Fact<History>): boolean {
  return history.known && history.value.selectorsSeen.length > 0;
}
