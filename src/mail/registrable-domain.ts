// The organisation of a domain by the public suffix list. DMARC itself asks DNS since RFC 9989; readers
// of RFC 7489 (most providers, for years to come) still go by the list. Private suffixes count, as they did there.

import { getDomain } from "tldts";

/** The domain itself where the list has nothing above it to register below. */
export function toRegistrableDomain(domain: string): string {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(domain, options) ?? domain;
}

/** Below it anybody registers names: a registry's, or a host's with customers of its own. */
export function isPublicSuffix(domain: string): boolean {
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  return getDomain(domain, options) === null;
}
