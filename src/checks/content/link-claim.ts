// Whether a link leads where its text says. Trackers are looked through where the address shows what is behind them; a
// service that counts clicks and hides the target is no lie of the sender's, and so is told but not held against him.

import { findDomain } from "../../mail/link-patterns.ts";
import { clickTrackers, linkGuards } from "../../mail/link-tables.ts";
import type { Link } from "../../mail/links.ts";
import { type Brand, brandOfDomain, isOwnedBy } from "../impersonation/brands.ts";
import { isOfOwnService, isOwn, type Senders } from "./senders.ts";

export type Claim =
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
  if (host === null || textHost === null || namesFile(link)) return none;
  if (isClaimed(link, link) || isBrandShortener(link)) return kept;
  const leader = leaderOf(link, host, senders);
  const tracked: Claim = { is: "tracked", host };
  if (leader === null) return { is: "broken", host };
  if (target === null) return ifHidden(leader, host);
  if (isClaimed(link, target)) return leader === "tracker" ? tracked : kept;
  return isOwn(target, senders) ? tracked : { is: "broken", host: target.host ?? host };
}

type Leader = "tracker" | "guard" | "redirector";

/** What a host is that leads on to the address in its own; null for one that is taken for the place itself. */
function leaderOf(link: Link, host: string, senders: Senders): Leader | null {
  if (isTrackingService(host) || isOfOwnService(host, senders)) return "tracker";
  if (isOwn(link, senders) && (link.target !== null || countsClicks(link) || isOfOneName(link)))
    return "tracker";
  if (findDomain(host, guardHosts) !== null) return "guard";
  return link.redirector === null ? null : "redirector";
}

/**
 * A sender's own host may count clicks on the way to another's page, and then its address is a code. A page that a person
 * can read by its address is the page itself: a text that shows another's is a lie, whoever signed the message.
 */
function countsClicks({ host, href }: Link): boolean {
  const [first = ""] = (host ?? "").split(".", 1);
  if (counterHosts.has(first)) return true;
  const address = URL.parse(href.slice(0, maxAddress));
  if (address === null) return false;
  const segments = address.pathname.split("/").filter((segment) => segment !== "");
  const values = [...segments, ...address.searchParams.values()];
  return segments.some((segment) => counterPaths.has(segment.toLowerCase())) || values.some(isCode);
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
  const nameOf = (domain: string | null) => domain?.split(".", 1)[0] ?? null;
  return nameOf(orgDomain) !== null && nameOf(orgDomain) === nameOf(textOrgDomain);
}

/** What its receiver's own guard hides, the sender never wrote. */
function ifHidden(leader: Leader, host: string): Claim {
  if (leader === "guard") return kept;
  return { is: leader === "tracker" ? "tracked" : "broken", host };
}

type Place = { readonly host: string | null; readonly orgDomain: string | null };

function isClaimed({ textHost, textOrgDomain }: Link, { host, orgDomain }: Place): boolean {
  return textHost === host || (textOrgDomain !== null && textOrgDomain === orgDomain);
}

/** `youtube.com` over youtu.be. */
function isBrandShortener({ shortener, textOrgDomain }: Link): boolean {
  return shortener !== null && shortener.brand !== null && shortener.brand === textOrgDomain;
}

/** Endings of files that are top-level domains too: "README.md" over an address that ends in /README.md claims no host. */
const fileEndings = new Set("ai app cc md mm mov pl ps py rs sh so zip".split(" "));

function namesFile({ text, fileExtension, href }: Link): boolean {
  if (fileExtension === null || !fileEndings.has(fileExtension)) return false;
  const [path = ""] = href.split(/[?#]/, 1);
  return path.toLowerCase().endsWith(`/${text.toLowerCase()}`);
}

/**
 * Whose address is shown; null where it is no known brand's, or the sender or the place that opens is the brand's own. What
 * counts clicks without being known for it is a mismatch and no more.
 */
export function imitatedBy(link: Link, senders: Senders): Brand | null {
  const brand = brandOfDomain(link.textOrgDomain ?? "") ?? brandOfDomain(link.textHost ?? "");
  if (brand === null || isOwn(link, senders) || countsClicks(link)) return null;
  const host = hostIn(readClaim(link, senders)) ?? link.host ?? "";
  const isTheirs = [host, ...senders.organisations].some((domain) => isOwnedBy(brand, domain, ""));
  // "paypalobjects.com" may be a brand's own, and is judged by the check of look-alikes where it is none.
  const isNamedAfter = [...brand.labels].some((label) => host.includes(label));
  return isTheirs || isNamedAfter ? null : brand;
}

/** Where it leads, as far as that is known. */
export function hostIn(claim: Claim): string | null {
  return "host" in claim ? claim.host : null;
}
