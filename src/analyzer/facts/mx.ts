// Whether the domains in a message exist and accept mail (RFC 5321 §5.1), by DNS only. No host is contacted.

import { createHash } from "node:crypto";
import { isSendingAddress, toPlainAddress } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { MxFact, MxHost, Row } from "../checks/infrastructure-facts.ts";
import { type Dns, type DnsAnswer, type RecordType, toQuestionName } from "../dns/answer.ts";

export type MailDomain = {
  readonly domain: string;
  /** hosts: its MX hosts too, up to three queries each. existence: at most three queries. */
  readonly depth: "hosts" | "existence";
};

/** The share of a message's queries (gather.ts). */
const maxDomains = 10;
/** Large providers publish five. With more than ten, the first ten take the mail. */
const maxHosts = 10;

/** One row per domain. The more detailed lookup wins. */
export async function gatherMx(domains: readonly MailDomain[], dns: Dns): Promise<Row<MxFact>[]> {
  const depths = new Map<string, MailDomain["depth"]>();
  for (const { domain, depth } of domains) {
    const name = domain.toLowerCase();
    if (depths.get(name) !== "hosts") depths.set(name, depth);
  }
  return Promise.all(
    [...depths]
      .slice(0, maxDomains)
      .map(async ([domain, depth]) => ({ of: domain, fact: await gatherDomain(domain, depth, dns) })),
  );
}

async function gatherDomain(domain: string, depth: MailDomain["depth"], dns: Dns): Promise<Fact<MxFact>> {
  // An address literal or a name in its own script is not a DNS name.
  if (toQuestionName(domain) === null || /[[\]: ]/.test(domain)) return unknown("parser-failed");
  const [answer, soa] = await Promise.all([
    dns.query(domain, "MX"),
    depth === "hosts" ? isZoneTop(domain, dns) : unknown("off"),
  ]);
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  const exists = answer.status !== "nxdomain";
  const records = readMx(answer);
  const nullMx = records.length === 1 && records[0]?.name === ".";
  const [addresses, hosts] = await Promise.all([
    gatherOwnAddresses(domain, exists, records.length > 0, dns),
    gatherHosts(nullMx ? [] : records.slice(0, maxHosts), depth, dns),
  ]);
  const found = findAnswer(answer, addresses);
  const wildcard = depth === "hosts" ? await answersForAnyName(domain, found, dns) : unknown("off");
  const hostsLeftOut = Math.max(0, records.length - maxHosts);
  return known({ domain, exists, soa, wildcard, nullMx, hosts, hostsLeftOut, addresses });
}

async function isZoneTop(domain: string, dns: Dns): Promise<Fact<boolean>> {
  const answer = await dns.query(domain, "SOA");
  const why = whyUnknown(answer);
  return why === undefined ? known(answer.records.length > 0) : unknown(why);
}

async function gatherOwnAddresses(domain: string, exists: boolean, hasMx: boolean, dns: Dns) {
  if (hasMx) return null;
  return exists ? gatherBothFamilies(domain, dns) : known([]);
}

type MxRecord = { readonly name: string; readonly preference: number };

function readMx(answer: DnsAnswer): MxRecord[] {
  return answer.records
    .flatMap((record) =>
      record.type === "MX" ? [{ name: record.exchange.toLowerCase(), preference: record.preference }] : [],
    )
    .sort((one, other) => one.preference - other.preference || (one.name < other.name ? -1 : 1));
}

async function gatherHosts(records: readonly MxRecord[], depth: MailDomain["depth"], dns: Dns): Promise<MxHost[]> {
  return Promise.all(
    records.map(async (record) => {
      const literal = toPlainAddress(record.name.replace(/^\[(.*)\]$/, "$1")) !== undefined;
      const asked = depth === "hosts" && !literal;
      const { addresses, alias } = asked ? await gatherHost(record.name, dns) : notAsked(literal);
      const isPrivate = addresses.known && addresses.value.length > 0 && !addresses.value.some(isSendingAddress);
      return { ...record, literal, addresses, alias, private: isPrivate };
    }),
  );
}

function notAsked(literal: boolean): Pick<MxHost, "addresses" | "alias"> {
  return literal ? { addresses: known([]), alias: known(null) } : { addresses: unknown("off"), alias: unknown("off") };
}

/** A CNAME without a target is judged as a host that does not resolve. */
async function gatherHost(name: string, dns: Dns): Promise<Pick<MxHost, "addresses" | "alias">> {
  const addresses = await gatherBothFamilies(name, dns);
  if (!addresses.known || addresses.value.length === 0) return { addresses, alias: known(null) };
  const answer = await dns.query(name, "CNAME");
  const why = whyUnknown(answer);
  if (why !== undefined) return { addresses, alias: unknown(why) };
  const targets = answer.records.flatMap((record) => (record.type === "CNAME" ? [record.target] : []));
  return { addresses, alias: known(targets[0] ?? null) };
}

type MailRoute = { readonly type: RecordType; readonly values: string };

/** The address family of mail to the domain; null if it goes nowhere or if both are possible. */
function findAnswer(answer: DnsAnswer, addresses: MxFact["addresses"]): MailRoute | null {
  if (answer.records.length > 0) return { type: "MX", values: toValues(answer) };
  if (!addresses?.known || addresses.value.length === 0) return null;
  const type = addresses.value[0]?.includes(":") ? "AAAA" : "A";
  return {
    type,
    values: addresses.value
      .filter((one) => one.includes(":") === (type === "AAAA"))
      .sort()
      .join(),
  };
}

/** RFC 4592: a sibling name that cannot have been published gets the same answer. */
async function answersForAnyName(domain: string, found: MailRoute | null, dns: Dns): Promise<Fact<boolean>> {
  const labels = domain.split(".");
  if (found === null || labels.length < 3) return known(false);
  const answer = await dns.query([toProbeLabel(domain), ...labels.slice(1)].join("."), found.type);
  const why = whyUnknown(answer);
  return why === undefined ? known(toValues(answer) === found.values) : unknown(why);
}

function toValues(answer: DnsAnswer): string {
  const values = answer.records.map((record) => {
    if (record.type === "MX") return `${record.preference} ${record.exchange.toLowerCase()}`;
    return "address" in record ? (toPlainAddress(record.address) ?? record.address) : record.type;
  });
  return values.sort().join();
}

/** Looks random but is the same in each run, so that a recorded analysis can be replayed. */
export function toProbeLabel(domain: string): string {
  return `probe-${createHash("sha256").update(domain.toLowerCase()).digest("hex").slice(0, 16)}`;
}

// The addresses of a name, both families or one.

/** No mail server has more. The limit keeps a report from growing with what a stranger publishes. */
const maxAddresses = 50;

/** A name that cannot be looked up has no addresses. */
export async function gatherAddresses(name: string, type: "A" | "AAAA", dns: Dns): Promise<Fact<string[]>> {
  if (toQuestionName(name) === null) return known([]);
  return toAddresses(await dns.query(name, type));
}

/** Unknown unless both families answered. `enough`: a family whose answer is enough if it has any address. */
export async function gatherBothFamilies(
  name: string,
  dns: Dns,
  enough: "A" | "AAAA" | null = null,
): Promise<Fact<string[]>> {
  const [four, six] = await Promise.all([gatherAddresses(name, "A", dns), gatherAddresses(name, "AAAA", dns)]);
  if (four.known && six.known) return known([...four.value, ...six.value]);
  const sufficient = enough === "A" ? four : six;
  if (enough !== null && sufficient.known && sufficient.value.length > 0) return sufficient;
  return four.known ? six : four;
}

export function familyOf(address: string): "A" | "AAAA" {
  return address.includes(":") ? "AAAA" : "A";
}

function toAddresses(answer: DnsAnswer): Fact<string[]> {
  const why = whyUnknown(answer);
  if (why !== undefined) return unknown(why);
  return known(
    answer.records.slice(0, maxAddresses).flatMap((record) => {
      if (record.type !== "A" && record.type !== "AAAA") return [];
      return [toPlainAddress(record.address) ?? record.address];
    }),
  );
}
