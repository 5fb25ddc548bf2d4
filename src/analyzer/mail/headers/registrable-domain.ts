// The organizational domain by the public suffix list. DMARC walks the DNS tree since RFC 9989, but receivers on RFC
// 7489 (most providers, for years to come) still use the list. Private suffixes count, as they did there.

import { domainToASCII, domainToUnicode } from "node:url";
import { getDomain, parse } from "tldts";
import { parseMailboxes } from "./address.ts";

/** Only for names: an IP address is recognized as one and has no organizational domain. */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: true } as const;

/** Null for an IP address, a public suffix, or a name without one. */
export function findRegistrableDomain(host: string): string | null {
  return getDomain(host, options);
}

/** The domain itself if it is a public suffix. */
export function toRegistrableDomain(domain: string): string {
  return findRegistrableDomain(domain) ?? domain;
}

/** Anyone can register names below it: a registry's suffix, or that of a host with customers. */
export function isPublicSuffix(domain: string): boolean {
  return findRegistrableDomain(domain) === null;
}

/** A registry's suffix, such as co.uk. The suffix of a host with customers is a domain with an owner. */
export function isRegistrySuffix(domain: string): boolean {
  return getDomain(domain, { ...options, allowPrivateDomains: false }) === null;
}

/** It ends in a suffix on the list. */
export function hasPublicSuffix(host: string): boolean {
  const { isIcann, isPrivate } = parse(host, options);
  return isIcann === true || isPrivate === true;
}

// Converts a domain in an address to the name that DNS is asked for (A-labels, lower case), or null if two programs
// could read two names. Node's domainToASCII is too lenient alone: it maps full-width letters and dots, drops soft
// hyphens and decodes %61, so a domain would be judged that readers never see. Here a label is either ASCII, or a U-label
// that differs from its A-label's meaning only in case (RFC 5890 §2.3.2.1).

/** RFC 1035 §2.3.4. */
const maxNameLength = 253;
/** Host names have no underscore, but some domains that send mail do. */
const asciiLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** Nearly all names look like this and need no conversion. */
const usualName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]{2,63}$/;
const encodedLabel = /^xn--[a-z0-9-]{1,59}$/;

export function toAsciiDomain(domain: string): string | null {
  if (domain.length > maxNameLength) return null;
  if (usualName.test(domain) && !domain.includes("xn--")) return domain;
  const labels = domain.split(".").map(toAsciiLabel);
  const name = labels.join(".");
  if (labels.includes(null) || name.length > maxNameLength) return null;
  // An IP address without brackets isn't a domain, and no zone can be delegated below it.
  return /(?:^|\.)\d+$/.test(name) ? null : name;
}

function toAsciiLabel(label: string): string | null {
  if (/^[ -~]*$/.test(label)) return asciiLabel.test(label) ? toReadableLabel(label.toLowerCase()) : null;
  const ascii = domainToASCII(label);
  if (!encodedLabel.test(ascii)) return null;
  return domainToUnicode(ascii) === label.toLowerCase().normalize("NFC") ? ascii : null;
}

/** `xn--paypal-` isn't an A-label, yet a careless decoder shows "paypal". */
function toReadableLabel(label: string): string | null {
  return label.startsWith("xn--") && domainToUnicode(label) === label ? null : label;
}

/** The domain of the first address in a From text, for lists. The author proper is determined by author.ts. */
export function toFromDomain(from: string): string | null {
  const { domain } = parseMailboxes(from).list.find((mailbox) => mailbox.domain !== null) ?? { domain: null };
  return domain === null ? null : toAsciiDomain(domain);
}

export function firstLabel(domain: string | null): string {
  return domain?.split(".", 1)[0] ?? "";
}
