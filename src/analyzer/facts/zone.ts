// How a domain's zone is served: its name servers, wildcard answers, and the TTLs of policy records.

import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { NameServer, Row, ZoneFact } from "../checks/infrastructure-facts.ts";
import { type Dns, type DnsAnswer, isWithin, type RecordType, textsOf, toQuestionName } from "../dns/answer.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { gatherBothFamilies, toProbeLabel } from "./mx.ts";

/** RFC 2182 §5 recommends at most seven. */
const maxNameServers = 13;

const maxSelectors = 10;

/** No real zone is deeper. */
const maxStepsUp = 8;

const maxTextShown = 500;

/** Asks a server directly whether it is authoritative for a zone. */
export type AskServer = (address: string, zone: string) => Promise<Fact<boolean>>;

/** Normal queries go to a resolver, which picks the servers itself. */
const askNobody: AskServer = async () => unknown("off");

/** `selectors`: those in use. A caching resolver returns the remaining TTL. */
export async function gatherZone(
  domain: string,
  selectors: readonly string[],
  dns: Dns,
  askServer: AskServer = askNobody,
): Promise<Fact<ZoneFact>> {
  const top = await findZone(domain, dns);
  if (!top.known) return top;
  const label = toProbeLabel(domain);
  const keys = selectors.slice(0, maxSelectors).map((selector) => `${selector}._domainkey.${domain}`);
  const [ns, wildcards, ttls] = await Promise.all([
    gatherServers(top.value, dns, askServer),
    gatherRows([`${label}._domainkey.${domain}`, `_dmarc.${label}.${domain}`], toFirstText, dns),
    gatherRows([domain, `_dmarc.${domain}`, ...keys], toTtl, dns),
  ]);
  return known({ domain, zone: top.value.zone, ns, wildcards, ttls });
}

type ZoneTop = { readonly zone: string; readonly servers: readonly string[] };

/** A name that is not a zone uses the name servers of the zone around it. */
async function findZone(domain: string, dns: Dns): Promise<Fact<ZoneTop>> {
  const labels = domain.split(".");
  const above = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  for (const name of above.slice(0, maxStepsUp)) {
    const answer = await dns.query(name, "NS");
    const why = whyUnknown(answer);
    if (why !== undefined) return unknown(why);
    const servers = answer.records.flatMap((record) => (record.type === "NS" ? [record.target.toLowerCase()] : []));
    if (servers.length > 0) return known({ zone: name, servers: servers.sort() });
  }
  return above.length > maxStepsUp ? unknown("budget") : known({ zone: domain, servers: [] });
}

async function gatherServers(
  { zone, servers: names }: ZoneTop,
  dns: Dns,
  askServer: AskServer,
): Promise<ZoneFact["ns"]> {
  const gather = async (name: string) => {
    const addresses = await gatherBothFamilies(name, dns);
    const [first] = addresses.known ? addresses.value : [];
    const authoritative = first === undefined ? unknown("off") : await askServer(first, zone);
    return { name, addresses, authoritative };
  };
  const servers = await Promise.all(names.slice(0, maxNameServers).map(gather));
  const isReached = servers.some(({ authoritative }) => authoritative.known && authoritative.value);
  return isReached ? servers : servers.map(withoutVerdict);
}

/** If no server seems authoritative although the zone works, something between us and them answers instead. */
function withoutVerdict(server: NameServer): NameServer {
  return server.authoritative.known ? { ...server, authoritative: unknown("refused") } : server;
}

function gatherRows<T>(names: readonly string[], read: (answer: DnsAnswer) => T, dns: Dns): Promise<Row<T>[]> {
  const gather = async (name: string): Promise<Row<T>> => {
    const answer = await dns.query(name, "TXT");
    const why = whyUnknown(answer);
    return { of: name, fact: why === undefined ? known(read(answer)) : unknown(why) };
  };
  return Promise.all(names.map(gather));
}

function toFirstText(answer: DnsAnswer): string | null {
  const [text] = textsOf(answer);
  return text === undefined ? null : toStorableCut(text, maxTextShown);
}

function toTtl({ records, ttlSeconds }: DnsAnswer): number | null {
  return records.length === 0 ? null : ttlSeconds;
}

// Mail records are looked up at the domain's own name servers, because a resolver may return cached answers for hours.
// Only mail records: those of the parent zone, and the validation of signatures, stay with the resolver. It is also
// used if the servers have no authoritative answer because they are unreachable, or the name is an alias or delegated
// further.

/** DNS answers from the servers at these addresses; null if none of them may be queried. */
export type OpenZone = (addresses: readonly string[]) => Dns | null;

const ofMail: readonly RecordType[] = ["TXT", "MX"];

/** One server that answers is enough. */
const maxServers = 3;

export function askZoneFirst(domain: string, dns: Dns, openZone: OpenZone): Dns {
  let opening: Promise<Dns | null> | undefined;
  return {
    query: async (name, type) => {
      if (!ofMail.includes(type) || !isWithin(toQuestionName(name) ?? "", domain)) return dns.query(name, type);
      opening ??= findServers(domain, dns).then(openZone);
      const answer = await (await opening)?.query(name, type);
      return answer === undefined || whyUnknown(answer) !== undefined ? dns.query(name, type) : answer;
    },
  };
}

async function findServers(domain: string, dns: Dns): Promise<string[]> {
  const top = await findZone(domain, dns);
  if (!top.known) return [];
  const gather = (name: string) => gatherBothFamilies(name, dns);
  const found = await Promise.all(top.value.servers.slice(0, maxServers).map(gather));
  return found.flatMap((addresses) => (addresses.known ? addresses.value.slice(0, 1) : []));
}
