// Which of a message's domains are looked up in domain lists: each once, the sender's domains first.

import { domainToASCII } from "node:url";
import { parse } from "tldts";

export type NamedDomain = {
  readonly domain: string;
  /** Where the domain occurs: from, dkim, mailfrom, reply-to, helo, ptr, link, image. */
  readonly roles: readonly string[];
};

type ChosenDomains = {
  readonly chosen: readonly NamedDomain[];
  /** How many were left out. */
  readonly more: number;
};

/** The sender's domains are a handful. The rest are links, of which a stranger can write any number. */
export const maxDomains = 20;
/** Finding a registrable domain takes microseconds, so this many take a few milliseconds. */
const maxDomainsRead = 1_000;

const rolesInOrder = ["from", "dkim", "mailfrom", "reply-to", "helo", "ptr", "link", "image"];

/** The names as found, and their registrable domains. Addresses and single labels are on no domain list. */
export function chooseDomains(domains: readonly NamedDomain[]): {
  readonly host: ChosenDomains;
  readonly registrable: ChosenDomains;
} {
  const ranked = domains.map((named) => ({ named, rank: rankOf(named) }));
  ranked.sort((one, other) => one.rank - other.rank);
  const hosts = new Map<string, Set<string>>();
  const registrables = new Map<string, Set<string>>();
  for (const { named } of ranked.slice(0, maxDomainsRead)) {
    const found = parseDomain(named.domain);
    if (found === null) continue;
    addRoles(hosts, found.host, named.roles);
    addRoles(registrables, found.registrable, named.roles);
  }
  const unread = Math.max(0, ranked.length - maxDomainsRead);
  return { host: cut(hosts, unread), registrable: cut(registrables, unread) };
}

function addRoles(rolesByDomain: Map<string, Set<string>>, domain: string, roles: readonly string[]): void {
  const known = rolesByDomain.get(domain) ?? new Set();
  rolesByDomain.set(domain, known);
  for (const role of roles) known.add(role);
}

function cut(rolesByDomain: ReadonlyMap<string, ReadonlySet<string>>, unread: number): ChosenDomains {
  const all = [...rolesByDomain].map(([domain, roles]) => ({ domain, roles: [...roles] }));
  return { chosen: all.slice(0, maxDomains), more: Math.max(0, all.length - maxDomains) + unread };
}

function rankOf({ roles }: NamedDomain): number {
  const ranks = roles.map((role) => rolesInOrder.indexOf(role)).filter((rank) => rank >= 0);
  return Math.min(rolesInOrder.length, ...ranks);
}

/** Names under private suffixes (a site builder's customers) count as registrable, because lists include such sites. */
function parseDomain(domain: string): { readonly host: string; readonly registrable: string } | null {
  if (domain.length > 253) return null;
  const host = domainToASCII(domain.replace(/\.$/, ""));
  const parsed = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return parsed.isIp || parsed.domain === null ? null : { host, registrable: parsed.domain };
}
