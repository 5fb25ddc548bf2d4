// Where a domain's mail goes, and what vouches for that. Names and not addresses, because addresses rotate; and nothing of
// name servers and lists, whose answers vary without anybody's doing.

import type { DnsAnswer } from "../dns/answer.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

export type MxMeaning =
  /** implicit: no MX, but addresses, which mail then goes to; null: it takes no mail (RFC 7505). */
  | { readonly state: "gone" | "none" | "implicit" | "null" }
  /** Hosts of one preference together, the preferred first. */
  | { readonly state: "hosts"; readonly tiers: readonly (readonly string[])[] };

export function readMx({ facts: { mx: rows } }: DomainReport): Reading | null {
  const fact = rows.known ? rows.value[0]?.fact : undefined;
  if (!fact?.known) return null;
  const { exists, nullMx, hosts, addresses } = fact.value;
  const record = toLines(hosts.map(({ preference, name }) => `${preference} ${name}`));
  if (nullMx) return { record: "0 .", meaning: { state: "null" } };
  if (hosts.length > 0) {
    const byPreference = Map.groupBy(hosts, ({ preference }) => preference);
    const tiers = [...byPreference.values()].map((tier) => tier.map(({ name }) => toHost(name)).sort());
    return { record, meaning: { state: "hosts", tiers } };
  }
  if (!exists) return { record, meaning: { state: "gone" } };
  if (!addresses?.known) return null;
  return { record, meaning: { state: addresses.value.length > 0 ? "implicit" : "none" } };
}

function toHost(name: string): string {
  return name.toLowerCase().replace(/(?<=.)\.$/, "");
}

export type DnssecMeaning = { readonly state: "unsigned" | "signed" | "bogus" };

/** Known from a resolver that checks signatures, and from no other. */
export function readDnssec({ domain, facts: { dnssec }, analysis }: DomainReport): Reading | null {
  if (!dnssec.known || !dnssec.value.validated.known) return null;
  const { signed, bogus } = dnssec.value;
  const ds = [...analysis.dns, ...analysis.unchecked].filter(
    ({ type, name }) => type === "DS" && name === domain,
  );
  const record = toLines([...new Set(ds.flatMap(toFieldLines))].sort());
  return { record, meaning: { state: bogus ? "bogus" : signed ? "signed" : "unsigned" } };
}

/** By MX host: whether senders must find its certificate there; silent: unknown. */
export type DaneMeaning = Readonly<Record<string, boolean | "silent">>;

/** Not which certificates, because they change with every renewal. */
export function readDane({ facts: { dane }, analysis }: DomainReport): Reading | null {
  if (!dane.known || dane.value.hosts.length === 0) return null;
  const hosts = dane.value.hosts.map(({ of, fact }): [string, boolean | "silent"] => {
    if (!fact.known || !fact.value.secure.known) return [of, "silent"];
    const isUsable = fact.value.records.some(({ problem }) => problem === null);
    return [of, fact.value.secure.value && isUsable];
  });
  if (hosts.every(([, state]) => state === "silent")) return null;
  const tlsa = analysis.dns.filter(({ type }) => type === "TLSA");
  const lines = tlsa.flatMap((answer) => toFieldLines(answer).map((fields) => `${answer.name} ${fields}`));
  return { record: toLines(lines.sort()), meaning: Object.fromEntries(hosts) satisfies DaneMeaning };
}

const maxLineLength = 2_000;

function toFieldLines({ records }: DnsAnswer): string[] {
  return records.flatMap((record) =>
    "fields" in record ? [Object.values(record.fields).join(" ").slice(0, maxLineLength)] : [],
  );
}
