// What the operator's DNS lists say about the client's address and the domains in a message (RFC 5782). All address
// lookups come first and text lookups after them, so that the texts depend only on answers and a replay makes the same
// lookups.

import { isSendingAddress, toReverseName } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { Allow, DomainListing, Listing, ListState, Row } from "../checks/infrastructure-facts.ts";
import { type Dns, textsOf } from "../dns/answer.ts";
import { addressesOf, type CodeReading, findListRow, readCodes } from "../dns/dnsbl.ts";
import { type Code, ownList } from "../dns/dnsbl-table.ts";
import { toStorableCut } from "../mail/text/bounds.ts";

import { chooseDomains, type NamedDomain } from "./listed-domains.ts";

type ListingQuestions = {
  /** Null without a session. */
  readonly address: string | null;
  /** In any order. The roles decide which are looked up first. */
  readonly domains: readonly NamedDomain[];
  readonly zones: readonly ListState[];
};

type Listings = {
  readonly listings: Fact<readonly Row<Listing>[]>;
  readonly allows: Fact<readonly Row<Allow>[]>;
  readonly domains: Fact<readonly Row<DomainListing>[]>;
};

/** The share of the DNS budget that gather.ts reserves for lists. */
export const maxListQuestions = 17;
export const maxTextQuestions = 3;
const maxTextLength = 300;

type Probe = { readonly state: ListState; readonly name: string; readonly named: NamedDomain };
type Heard = { readonly addresses: Fact<readonly string[]>; readonly text: string | null };
type Hear = (probe: Probe) => Heard;

export async function gatherListings({ address, domains, zones }: ListingQuestions, dns: Dns): Promise<Listings> {
  const byAddress = zones.filter((state) => state.with !== "domain");
  const allowing = byAddress.filter(isAllowList);
  const blocking = byAddress.filter((state) => !isAllowList(state));
  const naming = zones.filter((state) => state.with === "domain");
  const blocks = toAddressProbes(address, blocking);
  const allows = toAddressProbes(address, allowing);
  const names = toDomainProbes(domains, naming);
  const hear = await askLists([...probesIn(blocks), ...probesIn(allows), ...names.probes], dns);
  const domainRows = names.probes.map((probe) => toDomainRow(probe, hear));
  return {
    listings: blocks.known ? known(blocks.value.map((probe) => toListingRow(probe, hear))) : blocks,
    allows: allows.known ? known(allows.value.map((probe) => toAllowRow(probe, hear))) : allows,
    domains: naming.length === 0 ? unknown("off") : known([...domainRows, ...leftOut(names.more)]),
  };
}

function isAllowList({ zone }: ListState): boolean {
  return findListRow(zone)?.kind === "allow";
}

function probesIn(probes: Fact<readonly Probe[]>): readonly Probe[] {
  return probes.known ? probes.value : [];
}

function toAddressProbes(address: string | null, lists: readonly ListState[]): Fact<readonly Probe[]> {
  if (lists.length === 0) return unknown("off");
  if (address === null) return unknown("no-session");
  if (!isSendingAddress(address)) return unknown("not-public");
  const kind = address.includes(":") ? "ipv6" : "ipv4";
  const named = { domain: address, roles: [] };
  return known(
    lists
      .filter((state) => state.with === kind)
      .map((state) => ({ state, name: toReverseName(address, state.zone), named })),
  );
}

/** All lists for the first domain, then for the second, so that the limit cuts off what matters least. */
function toDomainProbes(domains: readonly NamedDomain[], lists: readonly ListState[]) {
  if (lists.length === 0) return { probes: [], more: 0 };
  const { host, registrable } = chooseDomains(domains);
  const probes = lists.flatMap((state) => {
    const row = findListRow(state.zone);
    const { chosen } = row?.kind === "domain" && row.asks === "host" ? host : registrable;
    return chosen.map((named, rank) => ({ state, name: `${named.domain}.${state.zone}`, named, rank }));
  });
  return { probes: probes.sort((one, other) => one.rank - other.rank), more: registrable.more };
}

function leftOut(count: number): readonly Row<DomainListing>[] {
  return count === 0 ? [] : [{ of: `${count} more domains`, fact: unknown("budget") }];
}

async function askLists(probes: readonly Probe[], dns: Dns): Promise<Hear> {
  const asked = probes.filter(({ state }) => state.unfit === null).slice(0, maxListQuestions);
  const answers = new Map(
    await Promise.all(asked.map(async (probe) => [probe, await askAddresses(probe, dns)] as const)),
  );
  const listed = asked.filter((probe) => isListed(probe, answers.get(probe)));
  const texts = new Map(
    await Promise.all(
      listed.slice(0, maxTextQuestions).map(async (probe) => [probe, await askText(probe, dns)] as const),
    ),
  );
  return (probe) => ({
    addresses: answers.get(probe) ?? unknown(isUnused(probe) ? "unused" : "budget"),
    text: texts.get(probe) ?? null,
  });
}

/** Not if its test is still running. */
function isUnused({ state: { unfit } }: Probe): boolean {
  return unfit !== null && unfit !== "budget";
}

async function askAddresses({ name }: Probe, dns: Dns): Promise<Fact<readonly string[]>> {
  const answer = await dns.query(name, "A");
  const why = whyUnknown(answer);
  return why === undefined ? known(addressesOf(answer.records)) : unknown(why);
}

function isListed({ state }: Probe, addresses: Fact<readonly string[]> | undefined): boolean {
  const row = findListRow(state.zone);
  const codes: readonly Code<string>[] = row?.codes ?? ownList.addressCodes;
  if (row?.kind === "allow" || !addresses?.known) return false;
  return readCodes(addresses.value, codes, refusalsOf({ state })).outcome === "listed";
}

function refusalsOf({ state }: Pick<Probe, "state">): readonly string[] | undefined {
  return (findListRow(state.zone) ?? ownList).refusals;
}

/** The list's own reason for the listing. DNS returns one character per byte. */
async function askText({ name }: Probe, dns: Dns): Promise<string | null> {
  const [first] = textsOf(await dns.query(name, "TXT"));
  return first ? toStorableCut(Buffer.from(first, "latin1").toString(), maxTextLength) : null;
}

function toListingRow(probe: Probe, hear: Hear): Row<Listing> {
  const { zone } = probe.state;
  const row = findListRow(zone);
  const codes = row?.kind === "address" ? row.codes : ownList.addressCodes;
  const fact = toFact(probe, hear, codes, (listed, text): Listing => {
    const weight = listed?.class ?? codes[0]?.class ?? "minor";
    return { zone, class: weight, ...toWords(listed, text), delistUrl: row?.delistUrl ?? null };
  });
  return { of: zone, fact };
}

function toDomainRow(probe: Probe, hear: Hear): Row<DomainListing> {
  const { named, state } = probe;
  const { zone } = state;
  const row = findListRow(zone);
  const codes = row?.kind === "domain" ? row.codes : ownList.domainCodes;
  const fact = toFact(probe, hear, codes, (listed, text): DomainListing => {
    const weight = listed?.class ?? codes[0]?.class ?? "grey";
    const words = toWords(listed, text);
    return { ...named, zone, class: weight, ...words, delistUrl: row?.delistUrl ?? null };
  });
  return { of: `${named.domain} at ${zone}`, fact };
}

function toAllowRow(probe: Probe, hear: Hear): Row<Allow> {
  const { zone } = probe.state;
  const row = findListRow(zone);
  const [codes, categories] = row?.kind === "allow" ? [row.codes, row.categories] : [[], undefined];
  const fact = toFact(probe, hear, codes, (listed): Allow => {
    const category = categories?.[Number(listed?.codes[0]?.split(".")[2])] ?? null;
    return { zone, listed: listed !== null, level: listed?.class ?? null, category };
  });
  return { of: zone, fact };
}

type Listed<Class extends string> = Extract<CodeReading<Class>, { outcome: "listed" }>;

function toFact<Class extends string, T>(
  probe: Probe,
  hear: Hear,
  codes: readonly Code<Class>[],
  toValue: (listed: Listed<Class> | null, text: string | null) => T,
): Fact<T> {
  const { addresses, text } = hear(probe);
  if (!addresses.known) return addresses;
  const reading = readCodes(addresses.value, codes, refusalsOf(probe));
  if (reading.outcome === "refused") return unknown("refused");
  if (reading.outcome === "nonsense") return unknown("servfail");
  return known(toValue(reading.outcome === "listed" ? reading : null, text));
}

function toWords(listed: Listed<string> | null, text: string | null) {
  if (listed === null) return { listed: false, code: null, meaning: null, text: null };
  return { listed: true, code: listed.codes.join(", "), meaning: listed.meanings.join("; "), text };
}
