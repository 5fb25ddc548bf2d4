// The organisation of a domain by the public suffix list. DMARC itself asks DNS since RFC 9989; readers
// of RFC 7489 (most providers, for years to come) still go by the list. Private suffixes count, as they did there.

import { getDomain, parse } from "tldts";

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
