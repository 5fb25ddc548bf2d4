// Names for tests and documentation, which can't be registered (RFC 2606, RFC 6761).

const reserved = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/i;

export function isReservedName(domain: string): boolean {
  return reserved.test(domain);
}

/** In public DNS, these have records that forbid mail. The others have none. */
const published = /(?:^|\.)example\.(?:com|net|org)$/i;

/** A DMARC record for such a name, found at `recordsAt`, is one of a lab's own DNS server. */
export function isLabRecord(recordsAt: string): boolean {
  return !published.test(recordsAt);
}
