// Where a domain's mail goes, and how that is protected. It compares names, because IP addresses rotate. Name servers
// and blocklists are left out, because their answers vary on their own.

import type { DnsAnswer } from "../dns/answer.ts";
import type { DomainReport } from "../reports/domain-report.ts";
import { toVisibleCut } from "../visible-text.ts";
import type { ChangeWords, Direction } from "./change-kind-table.ts";
import { listNames } from "./diff-policies.ts";
import { toLines } from "./parts.ts";
import type { Reading } from "./snapshot.ts";

export type MxMeaning =
  /** implicit: no MX, but addresses that receive its mail. null: it accepts no mail (RFC 7505). */
  | { readonly state: "gone" | "none" | "implicit" | "null" }
  /** Hosts grouped by preference, preferred first. */
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

/** Known only from a validating resolver. */
export function readDnssec({ domain, facts: { dnssec }, analysis }: DomainReport): Reading | null {
  if (!dnssec.known || !dnssec.value.validated.known) return null;
  const { signed, bogus } = dnssec.value;
  const ds = [...analysis.dns, ...analysis.unchecked].filter(({ type, name }) => type === "DS" && name === domain);
  const record = toLines([...new Set(ds.flatMap(toFieldLines))].sort());
  return { record, meaning: { state: bogus ? "bogus" : signed ? "signed" : "unsigned" } };
}

/** By MX host: whether senders must verify its certificate by DANE. silent: unknown. */
export type DaneMeaning = Readonly<Record<string, boolean | "silent">>;

/** Certificates are not compared, because each renewal changes them. */
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

// Describes changes in where a domain's mail goes and how that is protected.

export function diffMx(before: MxMeaning, after: MxMeaning): ChangeWords {
  if (before.state === "hosts" && after.state === "hosts") return describeMxHosts(before.tiers, after.tiers);
  if (after.state === "null")
    return {
      kind: "mx_changed",
      direction: loss(before),
      says: "The domain now declares that it accepts no mail (null MX)",
    };
  if (after.state === "hosts") {
    const says = `Mail for the domain now goes to ${listHosts(after.tiers.flat())}; previously, it had no MX host`;
    return { kind: "record_added", direction: "better", says };
  }
  const wherefore = {
    implicit: "mail goes to the domain's own IP addresses",
    none: "mail for the domain cannot be delivered",
    gone: "the domain no longer exists in DNS",
  }[after.state];
  return { kind: "record_removed", direction: loss(before), says: `The domain has no MX host: ${wherefore}` };
}

function loss({ state }: MxMeaning): Direction {
  return state === "hosts" || state === "implicit" ? "worse" : "neutral";
}

type Tiers = readonly (readonly string[])[];

function describeMxHosts(before: Tiers, after: Tiers): ChangeWords {
  const added = after.flat().filter((host) => !before.flat().includes(host));
  const removed = before.flat().filter((host) => !after.flat().includes(host));
  const moves = [
    ...(added.length > 0 ? [`now goes to ${listHosts(added)}`] : []),
    ...(removed.length > 0 ? [`no longer goes to ${listHosts(removed)}`] : []),
  ];
  const says = moves.length > 0 ? moves.join(", and ") : "goes to the same hosts with a different preference";
  return { kind: "mx_changed", direction: "neutral", says: `Mail for the domain ${says}` };
}

function listHosts(hosts: readonly string[]): string {
  return listNames(hosts.map((host) => toVisibleCut(host, 80)));
}

export function diffDnssec({ state: before }: DnssecMeaning, { state: after }: DnssecMeaning): ChangeWords {
  if (after === "bogus")
    return {
      kind: "dnssec_broken",
      direction: "worse",
      says: "The domain's DNSSEC signatures are invalid, so many resolvers cannot resolve it",
    };
  if (before === "bogus")
    return {
      kind: "dnssec_repaired",
      direction: "better",
      says: `The domain can be resolved again: ${after === "signed" ? "its DNSSEC signatures are valid" : "it is no longer signed"}`,
    };
  return after === "signed"
    ? { kind: "dnssec_gained", direction: "better", says: "The domain is now signed with DNSSEC" }
    : { kind: "dnssec_lost", direction: "worse", says: "The domain is no longer signed with DNSSEC" };
}

export function diffDane(before: DaneMeaning, after: DaneMeaning, hosts: readonly string[]): ChangeWords {
  const lost = hosts.filter((host) => before[host] === true && after[host] === false);
  const gained = hosts.filter((host) => !lost.includes(host));
  const says = [
    ...(lost.length > 0 ? [`MX ${hostsAre(lost)} no longer protected by DANE`] : []),
    ...(gained.length > 0 ? [`MX ${hostsAre(gained)} now protected by DANE`] : []),
  ].join("; ");
  return lost.length > 0
    ? { kind: "dane_lost", direction: "worse", says }
    : { kind: "dane_gained", direction: "better", says };
}

function hostsAre(hosts: readonly string[]): string {
  return hosts.length === 1 ? `host ${listHosts(hosts)} is` : `hosts ${listHosts(hosts)} are`;
}
