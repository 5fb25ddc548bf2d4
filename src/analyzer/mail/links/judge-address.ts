// What a link's address alone says: who tracks the click, who hides the target, and where it finally leads.

import { toStorable } from "../text/bounds.ts";
import {
  brandShorteners,
  clickTrackers,
  linkGuards,
  openRedirectors,
  publicShorteners,
  socialHosts,
  targetParameters,
  trackerLabels,
} from "../urls/link-tables.ts";
import { createFinder, findAmong, templateMarksIn, unnamedTracker } from "../urls/patterns.ts";
import { decodeEscapes } from "../urls/percent.ts";
import { type KnownHosts, readWebAddress, type WebAddress } from "../urls/web-address.ts";
import type { Link, LinkTarget } from "./links.ts";
import { unsubscribeAddress } from "./unsubscribe-words.ts";

export type AddressVerdict = {
  readonly link: Omit<Link, KnownByPlace>;
  /** The link's role as far as the address shows it. */
  readonly role: "unsubscribe" | "social" | null;
};
type KnownByPlace =
  | "place"
  | "text"
  | "label"
  | "images"
  | "textHost"
  | "textOrgDomain"
  | "textScheme"
  | "role"
  | "visible"
  | "hiddenHow"
  | "fontPx"
  | "contrast";

const findTracker = createFinder(clickTrackers);
const findGuard = createFinder(linkGuards);
const findRedirector = createFinder(openRedirectors);

/** Everything that the address alone says. */
export function judgeAddress(raw: string, hosts: KnownHosts): AddressVerdict {
  const address = readWebAddress(raw, hosts);
  const { length, scheme, host, unicodeHost, orgDomain, port, userinfo, form, faults, path } = address;
  const href = toStorable(address.href);
  const link = {
    href,
    length,
    scheme,
    host,
    unicodeHost,
    orgDomain,
    port,
    userinfo: userinfo === null ? null : toStorable(userinfo),
    form,
    faults,
    tracker: trackerOf(address),
    shortener: shortenerOf(address),
    redirector: findRedirector(address)?.name ?? null,
    target: targetOf(address, 3),
    fileExtension: /\.([a-z0-9]{1,10})$/i.exec(path.slice(-100))?.[1]?.toLowerCase() ?? null,
    isMixedScript: form === "punycode" && (unicodeHost ?? "").split(".").some(isMixed),
    hasInvisible: hasInvisible(address.href),
    placeholder: templateMarksIn(toStorable(address.href.slice(0, 500)), 1)[0] ?? null,
  };
  return { link, role: roleOf(href, address) };
}

function hasInvisible(href: string): boolean {
  if (!/[^\0-\x7f]/.test(href)) return false;
  return /\p{Default_Ignorable_Code_Point}/u.test(href.split(/[?#]/, 1)[0] ?? "");
}

function roleOf(href: string, { domains }: WebAddress): AddressVerdict["role"] {
  if (unsubscribeAddress.test(href.slice(0, 500))) return "unsubscribe";
  return findAmong(domains, socialHosts) === null ? null : "social";
}

function trackerOf(address: WebAddress): string | null {
  const known = findTracker(address);
  if (known) return known.name;
  const [first = ""] = (address.host ?? "").split(".", 1);
  if (!trackerLabels.has(first) || address.host === address.orgDomain) return null;
  return /[\w-]{16,}|=/.test((address.path + address.query).slice(0, 500)) ? unnamedTracker : null;
}

function shortenerOf({ domains, path }: WebAddress): Link["shortener"] {
  if (path.length < 2) return null;
  const name = findAmong(domains, publicShorteners) ?? findAmong(domains, brandShorteners);
  return name === null ? null : { host: name, brand: brandShorteners.get(name) ?? null };
}

/** Only a complete address counts as a target, and only a few are unwrapped, because each could contain another. */
function targetOf(address: WebAddress, depth: number): LinkTarget | null {
  const inner = innerAddress(address);
  if (inner === null || depth === 0) return null;
  const target = readWebAddress(inner);
  if (target.host === null) return null;
  const further = findGuard(target) !== undefined || trackerOf(target) !== null ? targetOf(target, depth - 1) : null;
  return further ?? { href: toStorable(target.href), host: target.host, orgDomain: target.orgDomain };
}

function innerAddress({ query, path }: WebAddress): string | null {
  if (/http|%|aHR0c/.test(query)) {
    const parameters = new URLSearchParams(query);
    for (const name of targetParameters) {
      const value = readTarget(parameters.get(name) ?? "");
      if (/^https?:\/\/[^/]/i.test(value)) return value;
    }
  }
  const inPath = /\/(?:__)?(https?:(?:\/\/?|%2F%2F)[^/?#].*)/i.exec(path)?.[1];
  return inPath ? decodeEscapes(inPath).replace(/^(https?:)\/(?!\/)/i, "$1//") : null;
}

/** Some targets are escaped twice, or in base64, where "http" is "aHR0c". Bing puts "a1" in front of it. */
function readTarget(value: string): string {
  const [, encoded] = /^(?:a1)?(aHR0c.*)/.exec(value) ?? [];
  return encoded === undefined ? decodeEscapes(value) : Buffer.from(encoded, "base64").toString();
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/** The scripts with letters that look alike. */
function isMixed(label: string): boolean {
  return scripts.filter((script) => script.test(label)).length > 1;
}
