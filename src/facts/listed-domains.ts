// Which of a message's domains the domain lists are asked about: those that stand for the sender first, each once.

import { domainToASCII } from "node:url";
import { parse } from "tldts";

export type NamedDomain = {
  readonly domain: string;
  /** Where the message names it: from, dkim, mailfrom, reply-to, helo, ptr, link, image. */
  readonly roles: readonly string[];
};

export type ChosenDomains = {
  readonly chosen: readonly NamedDomain[];
  /** How many were left out. */
  readonly more: number;
};

/** The sender's own domains are a handful; the rest are links, of which a stranger may write any number. */
export const maxDomains = 20;
/** Finding a registrable domain costs microseconds: this many cost a few milliseconds. */
const maxDomainsRead = 1_000;

const rolesInOrder = ["from", "dkim", "mailfrom", "reply-to", "helo", "ptr", "link", "image"];

/** `asks`: with the name as it was found, or with the registrable domain in it. Addresses and single labels are on no domain list. */
export function chooseDomains(domains: readonly NamedDomain[], asks: "host" | "registrable"): ChosenDomains {
  const inOrder = domains.map((named) => ({ named, rank: rankOf(named) }));
  inOrder.sort((one, other) => one.rank - other.rank);
  const read = inOrder.slice(0, maxDomainsRead);
  const rolesByDomain = new Map<string, Set<string>>();
  for (const { named } of read) {
    const domain = toAsked(named.domain, asks);
    if (domain === null) continue;
    const roles = rolesByDomain.get(domain) ?? new Set();
    rolesByDomain.set(domain, roles);
    for (const role of named.roles) roles.add(role);
  }
  const all = [...rolesByDomain].map(([domain, roles]) => ({ domain, roles: [...roles] }));
  const more = Math.max(0, all.length - maxDomains) + inOrder.length - read.length;
  return { chosen: all.slice(0, maxDomains), more };
}

function rankOf({ roles }: NamedDomain): number {
  const ranks = roles.map((role) => rolesInOrder.indexOf(role)).filter((rank) => rank >= 0);
  return Math.min(rolesInOrder.length, ...ranks);
}

/** What the public suffix list's private part holds (a site builder's customers) counts as registrable: lists name such sites. */
function toAsked(domain: string, asks: "host" | "registrable"): string | null {
  if (domain.length > 253) return null;
  const host = domainToASCII(domain.replace(/\.$/, ""));
  const parsed = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (parsed.isIp || parsed.domain === null) return null;
  return asks === "host" ? host : parsed.domain;
}
