// Whether a link leads where its text says. Trackers are looked through where the address shows what is behind them; a
// service that counts clicks and hides the target is no lie of the sender's, and so is told but not held against him.

import { firstLabel, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Link } from "../../mail/links/links.ts";
import { clickTrackers, linkGuards } from "../../mail/urls/link-tables.ts";
import { findDomain } from "../../mail/urls/patterns.ts";
import { espOfDomain } from "../esp.ts";
import {
  type Brand,
  brandOfDomain,
  brandOfSite,
  isLikelyEnding,
  isOwnedBy,
  isService,
} from "../impersonation/brands.ts";
import { findBrandInDomain } from "../impersonation/judge-domain.ts";
import { type HostName, isOfOwnService, isOwn, type Senders } from "./senders.ts";

type Claim =
  /** The text claims nothing, or what it claims holds. */
  | { readonly is: "none" | "kept" }
  /** tracked: only a counter of clicks stands between. */
  | { readonly is: "tracked" | "broken"; readonly host: string };

const none: Claim = { is: "none" };

const kept: Claim = { is: "kept" };

const trackingHosts = new Set(clickTrackers.flatMap(({ hosts = [] }) => hosts));

const guardHosts = new Set(linkGuards.flatMap(({ hosts = [] }) => hosts));

/** A service that counts clicks, known by its own name: any host can have a path that looks like one. */
export function isTrackingService(host: string): boolean {
  return findDomain(host, trackingHosts) !== null;
}

export function readClaim(link: Link, senders: Senders): Claim {
  const { host, textHost, target } = link;
  if (host === null || textHost === null || namesFile(link) || namesCompany(link)) return none;
  if (target !== null && leadsElsewhere(link, target, senders))
    return { is: "broken", host: target.host ?? host };
  if (isClaimed(link, link) || isBrandShortener(link)) return kept;
  const leader = leaderOf(link, host, senders);
  const tracked: Claim = { is: "tracked", host };
  if (leader === null) return { is: "broken", host };
  if (target === null) return ifHidden(leader, host);
  if (isClaimed(link, target)) return leader === "tracker" ? tracked : kept;
  return isOwn(target, senders) ? tracked : { is: "broken", host: target.host ?? host };
}

/** google.com/url?q=… opens what it names, whatever host leads there. */
function leadsElsewhere(link: Link, target: HostName, senders: Senders): boolean {
  const isOpen = link.redirector !== null || isOwn(link, senders);
  const isAway = target.orgDomain === null || target.orgDomain !== link.orgDomain;
  return isOpen && isAway && !isClaimed(link, target) && !isOwn(target, senders);
}

type Leader = "tracker" | "guard" | "redirector";

/** What a host is that leads on to the address in its own; null for one that is taken for the place itself. */
function leaderOf(link: Link, host: string, senders: Senders): Leader | null {
  if (isTrackingService(host) || isOfOwnService(host, senders)) return "tracker";
  if (isOwn(link, senders) && (link.target !== null || countsOwnClicks(link) || isOfOneName(link)))
    return "tracker";
  if (findDomain(host, guardHosts) !== null) return "guard";
  return link.redirector === null ? null : "redirector";
}

/**
 * A sender's own host may count clicks on the way to another's page, and then its address has a code, a number or the
 * name of that page. A page that a person can read by its address is the page itself: a text that shows another's is
 * misleading, whoever signed the message.
 */
function countsOwnClicks(link: Link): boolean {
  const { isCounter, segments, hasCode } = readCounter(link);
  const name = firstLabel(link.textOrgDomain);
  return (
    hasCode ||
    (isCounter &&
      segments.some(
        (segment) =>
          /\d/.test(segment) || isOpaque(segment) || (name !== "" && segment.toLowerCase().includes(name)),
      ))
  );
}

/** Anybody's host that counts clicks: both its look and a code tell. */
function countsClicks(link: Link): boolean {
  const { isCounter, hasCode, segments } = readCounter(link);
  return isCounter && (hasCode || segments.some(isOpaque));
}

/** A word of letters that is longer than any that people read in an address. */
function isOpaque(segment: string): boolean {
  return /^[A-Za-z]{16,}$/.test(segment) && /[A-Z]/.test(segment.slice(1));
}

type Counter = {
  /** Its host or path is called as counters of clicks are. */
  readonly isCounter: boolean;
  readonly hasCode: boolean;
  readonly segments: readonly string[];
};

function readCounter({ host, href }: Link): Counter {
  const address = URL.parse(href.slice(0, maxAddress));
  if (address === null) return { isCounter: false, hasCode: false, segments: [] };
  const segments = address.pathname.split("/").filter((segment) => segment !== "");
  const values = [...segments, ...address.searchParams.values()];
  const isCounter =
    counterHosts.has(firstLabel(host)) || segments.some((segment) => counterPaths.has(segment.toLowerCase()));
  return { isCounter, hasCode: values.some(isCode), segments };
}

const maxAddress = 2_000;

const counterHosts = new Set(
  "c cl click clicks clk ct e el em email go l link links lnk mail mailing news newsletter r redir redirect t tr track tracker tracking trk url".split(
    " ",
  ),
);

const counterPaths = new Set(
  "c cl click clicks clk ct cts e f g go goto k l link links lnk ls lt o out q r rd redir redirect s ss t tl tr track tracker tracking trk u url visit wf x y z".split(
    " ",
  ),
);

/** "8f3a91c07be2", "QmFzZTY0" followed by more: what no person reads, unlike "summer-sale-2026". */
function isCode(text: string): boolean {
  if (text.length < 10 || !/^[\w.~%+/=-]+$/.test(text)) return false;
  const words = text.split(/[-_.~%+/=]/);
  return words.some((word) => word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word));
}

/** acme.de in the text and acme.example behind it. */
function isOfOneName({ orgDomain, textOrgDomain }: Link): boolean {
  const name = firstLabel(orgDomain);
  return name !== "" && name === firstLabel(textOrgDomain);
}

/** The receiver's own guard wrote the address and hides its target: the sender claimed nothing with it. */
function ifHidden(leader: Leader, host: string): Claim {
  if (leader === "guard") return none;
  return { is: leader === "tracker" ? "tracked" : "broken", host };
}

/** The host that the text shows, its organization, or the same brand under another of its domains. */
function isClaimed({ textHost, textOrgDomain }: Link, { host, orgDomain }: HostName): boolean {
  if (textHost === host) return true;
  if (textOrgDomain !== null && orgDomain !== null)
    if (textOrgDomain === orgDomain || webOfMail.get(textOrgDomain) === orgDomain) return true;
  const brand = shownBrand(textHost, textOrgDomain);
  return brand !== null && host !== null && ownsPage(brand, host);
}

function shownBrand(textHost: string | null, textOrgDomain: string | null): Brand | null {
  return brandOfSite(textOrgDomain ?? "") ?? brandOfDomain(textHost ?? "");
}

/** Domains of addresses, whose web pages are at another. */
const webOfMail: ReadonlyMap<string, string> = new Map([
  ["gmail.com", "google.com"],
  ["googlemail.com", "google.com"],
  ["hotmail.com", "live.com"],
  ["outlook.com", "live.com"],
]);

/** Mailboxes of everybody may be at a brand's domain, but its pages are the brand's. */
function ownsPage(brand: Brand, host: string): boolean {
  return isOwnedBy(brand, host, "service");
}

/** `youtube.com` over youtu.be. */
function isBrandShortener({ shortener, textHost, textOrgDomain }: Link): boolean {
  if (shortener === null || shortener.brand === null) return false;
  const brand = shownBrand(textHost, textOrgDomain);
  return shortener.brand === textOrgDomain || (brand !== null && ownsPage(brand, shortener.brand));
}

/** Companies and products that are called as a domain is: "Booking.com" in a sentence is a name. */
const companyNames = new Set(
  "amazon.com archive.org asp.net ado.net autoscout24.de bild.de bol.com booking.com cars.com change.org crypto.com expedia.com hotels.com make.com match.com mobile.de monday.com overstock.com pets.com priceline.com salesforce.com shop.com trip.com vb.net weather.com web.de wordpress.com".split(
    " ",
  ),
);

function namesCompany({ text }: Link): boolean {
  return /^[A-Z]/.test(text) && companyNames.has(text.toLowerCase());
}

/** Endings of files that are top-level domains too: "README.md" over an address that ends in /README.md claims no host. */
const fileEndings = new Set("ai app cc md mm mov pl ps py rs sh so zip".split(" "));

function namesFile({ text, fileExtension, href }: Link): boolean {
  if (fileExtension === null || !fileEndings.has(fileExtension)) return false;
  const [path = ""] = href.split(/[?#]/, 1);
  return path.toLowerCase().endsWith(`/${text.toLowerCase()}`);
}

/**
 * Whose address is shown; null where it is no known brand's, or where the sender or the place that opens may be the brand
 * itself. What may only count clicks is a mismatch and no more.
 */
export function imitatedBy(link: Link, senders: Senders): Brand | null {
  const brand = shownBrand(link.textHost, link.textOrgDomain);
  if (brand === null || link.shortener !== null) return null;
  const { target } = link;
  if (target === null ? countsClicks(link) : isClaimed(link, target)) return null;
  const host = hostIn(readClaim(link, senders)) ?? link.host ?? "";
  // A sender whose own domain borrows the brand's name is no other who only links to a page of his own.
  if (isOwn({ host, orgDomain: toRegistrableDomain(host) }, senders))
    return findBrandInDomain(toRegistrableDomain(host)) === brand ? brand : null;
  // Each customer of a sending service is signed by the service as well.
  const organizations = [...senders.organisations].filter((domain) => espOfDomain(domain) === null);
  const isTheirs = ownsPage(brand, host) || organizations.some((domain) => isOwnedBy(brand, domain, ""));
  return isTheirs || isNamedAfter(brand, host) ? null : brand;
}

const shortestLabel = 5;

/** "paypalobjects.com" may be a brand's own; "paypal-login.com", "secure-paypal.com" and "paypal.com.login.example" are not. */
function isNamedAfter(brand: Brand, host: string): boolean {
  const organization = toRegistrableDomain(host);
  const label = firstLabel(organization);
  return (
    isLikelyEnding(organization.slice(label.length + 1)) &&
    [...brand.labels].some(
      (own) => own.length >= shortestLabel && label.startsWith(own) && !isService(label.slice(own.length)),
    )
  );
}

/** Where it leads, as far as that is known. */
export function hostIn(claim: Claim): string | null {
  return "host" in claim ? claim.host : null;
}
