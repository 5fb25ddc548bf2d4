// What DNS says about a domain in a message, as far as it was looked up.

import type { Message } from "../mail/mime/message.ts";
import { type Fact, known, unknown } from "./fact.ts";
import type { KnownFacts } from "./facts.ts";
import { leadsNowhere } from "./infrastructure/mail-domain.ts";
import type { MxFact, Row } from "./infrastructure-facts.ts";

type Rows = readonly Row<MxFact>[];

export function takesMail(mx: Rows, domain: string): Fact<boolean> {
  const fact = factOf(mx, domain);
  if (!fact.known) return fact;
  const { exists, nullMx, hosts, addresses } = fact.value;
  if (!exists || nullMx || leadsNowhere(fact.value)) return known(false);
  if (hosts.length > 0 || addresses === null) return known(true);
  return addresses.known ? known(addresses.value.length > 0) : addresses;
}

/** Whether the domain has an address. Domains with MX records were not looked up. */
export function hasAddress(mx: Rows, domain: string): Fact<boolean> {
  const fact = factOf(mx, domain);
  if (!fact.known) return fact;
  const { exists, addresses } = fact.value;
  if (!exists) return known(false);
  if (addresses === null) return unknown("off");
  return addresses.known ? known(addresses.value.length > 0) : addresses;
}

function factOf(mx: Rows, domain: string): Fact<MxFact> {
  return mx.find(({ of }) => of === domain)?.fact ?? unknown("off");
}

// The values of a header, decoded and unfolded, in message order.

export function valuesOf({ headers }: Pick<Message, "headers">, key: string): string[] {
  return headers.filter((header) => header.key === key).map(({ value }) => value.trim());
}

// An SPF record at a name where another policy belongs. A wildcard record also causes this, which the wildcard check reports.

export function findMisplacedSpf(
  { spfInPlace }: { readonly spfInPlace?: string | null },
  zone: KnownFacts["zone"],
): string | null {
  const wildcards = zone.known ? zone.value.wildcards : [];
  const isEverywhere = wildcards.some(({ fact }) => fact.known && fact.value !== null);
  return isEverywhere ? null : (spfInPlace ?? null);
}
