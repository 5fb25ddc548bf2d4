// Decides whether a link leads where its text says. If a tracking URL shows its target, the target is judged. A click
// tracker that hides the target is reported as a note, because the sender isn't misleading anyone.

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
  /** The text shows no address, or the link opens the address it shows. */
  | { readonly is: "none" | "kept" }
  /** tracked: the link only goes through a click tracker. */
  | { readonly is: "tracked" | "broken"; readonly host: string };

const none: Claim = { is: "none" };

const kept: Claim = { is: "kept" };

const trackingHosts = new Set(clickTrackers.flatMap(({ hosts = [] }) => hosts));

const guardHosts = new Set(linkGuards.flatMap(({ hosts = [] }) => hosts));

/** Known click trackers, by host name: any host can have a path that looks like tracking. */
export function isTrackingService(host: string): boolean {
  return findDomain(host, trackingHosts) !== null;
}

export function readClaim(link: Link, senders: Senders): Claim {
  const { host, textHost, target } = link;
  if (host === null || textHost === null || namesFile(link) || namesCompany(link)) return none;
  if (target !== null && leadsElsewhere(link, target, senders)) return { is: "broken", host: target.host ?? host };
  if (isClaimed(link, link) || isBrandShortener(link)) return kept;
  const leader = leaderOf(link, host, senders);
  const tracked: Claim = { is: "tracked", host };
  if (leader === null) return { is: "broken", host };
  if (target === null) return ifHidden(leader, host);
  if (isClaimed(link, target)) return leader === "tracker" ? tracked : kept;
  return isOwn(target, senders) ? tracked : { is: "broken", host: target.host ?? host };
}

/** An open redirect such as google.com/url?q=… opens any address that it names. */
function leadsElsewhere(link: Link, target: HostName, senders: Senders): boolean {
  const isOpen = link.redirector !== null || isOwn(link, senders);
  const isAway = target.orgDomain === null || target.orgDomain !== link.orgDomain;
  return isOpen && isAway && !isClaimed(link, target) && !isOwn(target, senders);
}

type Leader = "tracker" | "guard" | "redirector";

/** What kind of redirect a host is; null for a host that serves the page itself. */
function leaderOf(link: Link, host: string, senders: Senders): Leader | null {
  if (isTrackingService(host) || isOfOwnService(host, senders)) return "tracker";
  if (isOwn(link, senders) || isOfNamedService(link, senders))
    if (link.target !== null || countsOwnClicks(link) || isOfOneName(link)) return "tracker";
  if (findDomain(host, guardHosts) !== null) return "guard";
  return link.redirector === null ? null : "redirector";
}

/** Anyone can name a service, so in front of a brand's address it counts only in mail that the brand signed. */
function isOfNamedService(link: Link, { fromDomain, isSigned, services }: Senders): boolean {
  if (link.orgDomain === null || !services.has(link.orgDomain)) return false;
  const brand = shownBrand(link.textHost, link.textOrgDomain);
  return brand === null || (isSigned && fromDomain !== null && isOwnedBy(brand, fromDomain, ""));
}

/**
 * A sender's own host may track clicks to another site. Such a URL contains a code, a number or the name of that site.
 * A human-readable URL is the page itself, so a text that shows another site is misleading, even in a signed message.
 */
function countsOwnClicks(link: Link): boolean {
  const { isCounter, segments, hasCode } = readCounter(link);
  const name = firstLabel(link.textOrgDomain);
  return (
    hasCode ||
    (isCounter &&
      segments.some(
        (segment) => /\d/.test(segment) || isOpaque(segment) || (name !== "" && segment.toLowerCase().includes(name)),
      ))
  );
}

/** Any host that tracks clicks: it must look like a tracker and contain a code. */
function countsClicks(link: Link): boolean {
  const { isCounter, hasCode, segments } = readCounter(link);
  return isCounter && (hasCode || segments.some(isOpaque));
}

/** Letters only, but too long for a word that people read in a URL. */
function isOpaque(segment: string): boolean {
  return /^[A-Za-z]{16,}$/.test(segment) && /[A-Z]/.test(segment.slice(1));
}

type Counter = {
  /** Its host or path has a name that is common for click trackers. */
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

/** Matches "8f3a91c07be2" and base64, but not words such as "summer-sale-2026". */
function isCode(text: string): boolean {
  if (text.length < 10 || !/^[\w.~%+/=-]+$/.test(text)) return false;
  const words = text.split(/[-_.~%+/=]/);
  return words.some((word) => word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word));
}

/** The text shows acme.de and the link opens acme.example. */
function isOfOneName({ orgDomain, textOrgDomain }: Link): boolean {
  const name = firstLabel(orgDomain);
  return name !== "" && name === firstLabel(textOrgDomain);
}

/** The receiver's link protection wrote the URL and hides the target, so the sender claims nothing. */
function ifHidden(leader: Leader, host: string): Claim {
  if (leader === "guard") return none;
  return { is: leader === "tracker" ? "tracked" : "broken", host };
}

/** The shown host, its organization, or another domain of the same brand. */
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

/** Domains of email addresses whose web pages are on another domain. */
const webOfMail: ReadonlyMap<string, string> = new Map([
  ["gmail.com", "google.com"],
  ["googlemail.com", "google.com"],
  ["hotmail.com", "live.com"],
  ["outlook.com", "live.com"],
]);

/** A brand may offer mailboxes at its domain, but the web pages there are its own. */
function ownsPage(brand: Brand, host: string): boolean {
  return isOwnedBy(brand, host, "service");
}

/** The text shows `youtube.com` and the link opens youtu.be. */
function isBrandShortener({ shortener, textHost, textOrgDomain }: Link): boolean {
  if (shortener === null || shortener.brand === null) return false;
  const brand = shownBrand(textHost, textOrgDomain);
  return shortener.brand === textOrgDomain || (brand !== null && ownsPage(brand, shortener.brand));
}

/** Companies and products named like a domain: "Booking.com" in a sentence is a name. */
const companyNames = new Set(
  "amazon.com archive.org asp.net ado.net autoscout24.de bild.de bol.com booking.com cars.com change.org crypto.com expedia.com hotels.com make.com match.com mobile.de monday.com overstock.com pets.com priceline.com salesforce.com shop.com trip.com vb.net weather.com web.de wordpress.com".split(
    " ",
  ),
);

function namesCompany({ text }: Link): boolean {
  return /^[A-Z]/.test(text) && companyNames.has(text.toLowerCase());
}

/** File extensions that are also top-level domains: "README.md" as the text of a link to …/README.md shows no host. */
const fileEndings = new Set("ai app cc md mm mov pl ps py rs sh so zip".split(" "));

function namesFile({ text, fileExtension, href }: Link): boolean {
  if (fileExtension === null || !fileEndings.has(fileExtension)) return false;
  const [path = ""] = href.split(/[?#]/, 1);
  return path.toLowerCase().endsWith(`/${text.toLowerCase()}`);
}

/**
 * The brand whose address the text shows. Null for an unknown brand, and when the sender or the opened host may belong to
 * the brand. A possible click tracker is only a mismatch.
 */
export function imitatedBy(link: Link, senders: Senders): Brand | null {
  const brand = shownBrand(link.textHost, link.textOrgDomain);
  if (brand === null || link.shortener !== null) return null;
  const { target } = link;
  if (target === null ? countsClicks(link) : isClaimed(link, target)) return null;
  const host = hostIn(readClaim(link, senders)) ?? link.host ?? "";
  // A link to the sender's own domain only imitates the brand if that domain contains the brand's name.
  if (isOwn({ host, orgDomain: toRegistrableDomain(host) }, senders))
    return findBrandInDomain(toRegistrableDomain(host)) === brand ? brand : null;
  // A sending service also signs the mail of each customer.
  const organizations = [...senders.organisations].filter((domain) => espOfDomain(domain) === null);
  const isTheirs = ownsPage(brand, host) || organizations.some((domain) => isOwnedBy(brand, domain, ""));
  return isTheirs || isNamedAfter(brand, host) ? null : brand;
}

const shortestLabel = 5;

/** "paypalobjects.com" may belong to the brand. "paypal-login.com" and "paypal.com.login.example" do not. */
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

/** The host that the link opens, if known. */
export function hostIn(claim: Claim): string | null {
  return "host" in claim ? claim.host : null;
}
