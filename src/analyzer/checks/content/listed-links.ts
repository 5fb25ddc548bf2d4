// Linked domains that are on a blocklist. Other checks judge domains that also belong to the sender.

import type { Links } from "../../mail/links/links.ts";
import { socialHosts } from "../../mail/urls/link-tables.ts";
import { findDomain } from "../../mail/urls/patterns.ts";
import type { Fact } from "../fact.ts";
import type { DomainListing, Row } from "../infrastructure-facts.ts";
import { isTrackingService } from "./link-claim.ts";

export type ListedDomain = {
  readonly domain: string;
  readonly severity: "listed" | "doubtful";
  /** Listings with that severity. */
  readonly rows: readonly DomainListing[];
};

const contentRoles = new Set(["link", "image"]);
const senderRoles = new Set(["from", "dkim", "mailfrom"]);

export type ListAnswers = readonly Row<DomainListing>[];

/** The answers about linked domains that are not the sender's. */
export function answersAbout({ list }: Links, uribl: ListAnswers): Fact<DomainListing>[] {
  const linked = new Set(list.flatMap(({ host, orgDomain }) => [host, orgDomain]));
  // A row without an answer has no roles, but its name starts with the domain.
  return uribl
    .filter(({ of, fact }) => (fact.known ? isOfContent(fact.value) : linked.has(of.split(" ", 1)[0] ?? "")))
    .map(({ fact }) => fact);
}

function isOfContent({ roles }: DomainListing): boolean {
  return roles.some((role) => contentRoles.has(role)) && !roles.some((role) => senderRoles.has(role));
}

export function listedDomains(uribl: Fact<ListAnswers>): ReadonlyMap<string, ListedDomain> {
  if (!uribl.known) return new Map();
  const rows = uribl.value.flatMap(({ fact }) =>
    fact.known && fact.value.listed && isOfContent(fact.value) ? [fact.value] : [],
  );
  const found = new Map<string, ListedDomain>();
  for (const [domain, all] of Map.groupBy(rows, (row) => row.domain)) {
    const bad = all.filter((row) => row.class === "bad");
    if (bad.length > 0) found.set(domain, { domain, severity: "listed", rows: bad });
    // Lists include large sites and click trackers because of single customers.
    else if (!isEverybodys(domain)) found.set(domain, { domain, severity: "doubtful", rows: all });
  }
  return found;
}

function isEverybodys(domain: string): boolean {
  return findDomain(domain, socialHosts) !== null || isTrackingService(domain);
}
