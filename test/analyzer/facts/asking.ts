// Resolvers for tests of facts: counting queries, and broken DNS.

import { type Dns, type DnsAnswer, type DnsStatus, unanswered } from "../../../src/analyzer/dns/answer.ts";

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

/** Every query ends like this. */
export function broken(status: DnsStatus): Dns {
  return { query: async (name, type) => unanswered(name, type, status, 0) };
}

/** Every way in which DNS gives no answer, with the reason in the fact. */
export const troubles = [
  ["timeout", "timeout"],
  ["unreachable", "timeout"],
  ["servfail", "servfail"],
  ["malformed", "servfail"],
  ["refused", "refused"],
  ["budget", "budget"],
] as const;

/** A resolver that validates signatures: it vouches for the root and for these names and their subdomains. */
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
