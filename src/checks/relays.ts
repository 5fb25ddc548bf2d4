// Whether a domain belongs to a service that sends in the name of others.

import { espOfDomain } from "./esp.ts";
import { aliasDomains, relayDomains } from "./relays-table.ts";

const aliases: ReadonlySet<string> = new Set(aliasDomains);
const relays: ReadonlySet<string> = new Set(relayDomains);

/** By the domain itself or one above it. */
export function isAliasService(domain: string): boolean {
  return isBelow(aliases, domain);
}

export function sendsForOthers(domain: string): boolean {
  return isBelow(aliases, domain) || isBelow(relays, domain) || espOfDomain(domain) !== null;
}

function isBelow(known: ReadonlySet<string>, domain: string): boolean {
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1))
    if (known.has(name)) return true;
  return false;
}
