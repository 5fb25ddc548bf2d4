// Names for tests and documentation, which nobody can register (RFC 2606, RFC 6761).

const reserved = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/i;

export function isReservedName(domain: string): boolean {
  return reserved.test(domain);
}
