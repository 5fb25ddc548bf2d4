import type { Dns, DnsAnswer, DnsRecord, DnsStatus } from "../../../src/analyzer/dns/answer.ts";

/** Addresses, a status, or several of these: one for each query, the last for all that follow. */
export type Answer = readonly string[] | DnsStatus;
type Zone = Readonly<Record<string, Answer | { readonly inTurn: readonly Answer[] }>>;

/** A resolver that answers A and AAAA from data. `asked` lists the queries. */
export function dnsFrom(zone: Zone): Dns & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    query: async (name, type) => {
      const question = `${name} ${type}`;
      const turn = asked.filter((earlier) => earlier === question).length;
      asked.push(question);
      const entry = zone[name] ?? "nxdomain";
      const answer =
        typeof entry === "object" && "inTurn" in entry ? (entry.inTurn[turn] ?? entry.inTurn.at(-1)) : entry;
      return toAnswer(name, type, answer ?? "nxdomain");
    },
  };
}

function toAnswer(name: string, type: DnsAnswer["type"], answer: Answer): DnsAnswer {
  const fits = (address: string) => address.includes(":") === (type === "AAAA");
  const records =
    typeof answer === "string" ? [] : answer.filter(fits).map((address) => ({ type, address }) as DnsRecord);
  const status = typeof answer === "string" ? answer : records.length > 0 ? "answered" : "nodata";
  return { name, type, status, records, ttlSeconds: 0, authenticated: false, server: null, durationMs: 0, at: 0 };
}
