// Resolvers for tests of facts: how many questions were asked, and DNS that is out of order.

import { type Dns, type DnsAnswer, type DnsStatus, unanswered } from "../../src/dns/answer.ts";

export function counting(dns: Dns): Dns & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    query: (name, type) => {
      asked.push(`${name} ${type}`);
      return dns.query(name, type);
    },
  };
}

/** Every question ends so. */
export function broken(status: DnsStatus): Dns {
  return { query: async (name, type) => unanswered(name, type, status, 0) };
}

/** Every way in which DNS tells nothing, with what a fact says of it. */
export const troubles = [
  ["timeout", "timeout"],
  ["unreachable", "timeout"],
  ["servfail", "servfail"],
  ["malformed", "servfail"],
  ["refused", "refused"],
  ["budget", "budget"],
] as const;

/** A resolver that checks signatures: it vouches for the root and for these names and what lies below them. */
export function validating(dns: Dns, ...signed: readonly string[]): Dns {
  const vouchesFor = (name: string) =>
    name === "." || signed.some((zone) => name === zone || name.endsWith(`.${zone}`));
  return {
    query: async (name, type): Promise<DnsAnswer> => ({
      ...(await dns.query(name, type)),
      authenticated: vouchesFor(name),
    }),
  };
}
