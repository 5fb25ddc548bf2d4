// The organisation of a domain by the public suffix list. DMARC itself asks DNS since RFC 9989; readers
// of RFC 7489 (most providers, for years to come) still go by the list. Private suffixes count, as they did there.

import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain, parse } from "tldts";
import { parseMailboxes } from "./address.ts";

/** Of names only: what is an address is told as one, and has no organisation. */
const options = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: true,
} as const;

/** Null for an address, a public suffix and a name without one. */
export function findRegistrableDomain(host: string): string | null {
  return getDomain(host, options);
}

/** The domain itself where the list has nothing above it to register below. */
export function toRegistrableDomain(domain: string): string {
  return findRegistrableDomain(domain) ?? domain;
}

/** Below it anybody registers names: a registry's, or a host's with customers of its own. */
export function isPublicSuffix(domain: string): boolean {
  return findRegistrableDomain(domain) === null;
}

/** A registry's, as co.uk is: a host's with customers of its own is somebody's domain. */
export function isRegistrySuffix(domain: string): boolean {
  return getDomain(domain, { ...options, allowPrivateDomains: false }) === null;
}

/** It ends in a suffix that the list knows. */
export function hasPublicSuffix(host: string): boolean {
  const { isIcann, isPrivate } = parse(host, options);
  return isIcann === true || isPrivate === true;
}

// A domain as an address names it → the name that DNS is asked for (A-labels, lower case), or null where two programs
// could read two names. Node's domainToASCII alone is too kind: it maps full-width letters and dots, drops soft hyphens
// and decodes %61, so that a domain would be judged that nobody is shown. Here a label is either ASCII, or a U-label
// that differs from what its A-label stands for in nothing but case (RFC 5890 §2.3.2.1).

/** RFC 1035 §2.3.4. */
const maxNameLength = 253;
/** The underscore stands in no host name, but in domains that do send mail. */
const asciiLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** As nearly all are written: there is nothing to change. */
const usualName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]{2,63}$/;
const encodedLabel = /^xn--[a-z0-9-]{1,59}$/;

export function toAsciiDomain(domain: string): string | null {
  if (domain.length > maxNameLength) return null;
  if (usualName.test(domain) && !domain.includes("xn--")) return domain;
  const labels = domain.split(".").map(toAsciiLabel);
  const name = labels.join(".");
  if (labels.includes(null) || name.length > maxNameLength) return null;
  // An address without brackets is no domain, and no zone can be delegated below it.
  return /(?:^|\.)\d+$/.test(name) ? null : name;
}

function toAsciiLabel(label: string): string | null {
  if (/^[ -~]*$/.test(label)) return asciiLabel.test(label) ? toReadableLabel(label.toLowerCase()) : null;
  const ascii = domainToASCII(label);
  if (!encodedLabel.test(ascii)) return null;
  return domainToUnicode(ascii) === label.toLowerCase().normalize("NFC") ? ascii : null;
}

/** `xn--paypal-` is no A-label, yet a careless decoder shows "paypal". */
function toReadableLabel(label: string): string | null {
  return label.startsWith("xn--") && domainToUnicode(label) === label ? null : label;
}

/** The domain of the first address that a From text shows, for lists; whom a message is from is judged by author.ts. */
export function toFromDomain(from: string): string | null {
  const { domain } = parseMailboxes(from).list.find((mailbox) => mailbox.domain !== null) ?? { domain: null };
  return domain === null ? null : toAsciiDomain(domain);
}

export function firstLabel(domain: string | null): string {
  return domain?.split(".", 1)[0] ?? "";
}
