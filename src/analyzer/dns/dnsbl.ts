// DNS lists (RFC 5782): which list a zone is, and what its answers mean. A keyed zone's name contains the subscriber's
// secret key. Outside of DNS queries, `_key` replaces it, so that no report, evidence or log contains the key.

import type { DnsRecord } from "./answer.ts";
import { type Code, type ListRow, listRows, refusedZones } from "./dnsbl-table.ts";

export type BlocklistZone = {
  /** As shown and stored. */
  readonly zone: string;
  /** As used in DNS queries. */
  readonly asked: string;
};

const keyLabel = "_key";

const rowsByZone = new Map(
  listRows.flatMap((row) => row.zones.map((zone) => [zone.replace("<key>", keyLabel), row] as const)),
);

export type ListChoice = {
  readonly kind: ListRow["kind"] | "own";
  readonly name: string;
  /** The owner's terms of use. Null if unknown. */
  readonly terms: string | null;
  /** As shown. The first one is recommended. */
  readonly zones: readonly string[];
};

/** The known lists, as an operator chooses from them. */
export const listChoices: readonly ListChoice[] = listRows.map(({ kind, name, terms, zones }) => ({
  kind,
  name,
  terms,
  zones: zones.map((zone) => zone.replace("<key>", keyLabel)),
}));

/** The table row of a zone as shown; undefined for an operator's custom list. */
export function findListRow(zone: string): ListRow | undefined {
  return rowsByZone.get(zone);
}

export function toBlocklistZone(asked: string): BlocklistZone {
  const zone = withoutKey(asked);
  return { zone: rowsByZone.has(zone) ? zone : asked, asked };
}

/** Why a zone must not be queried, as a sentence without its key; null if it may be. */
export function whyRefusedZone({ zone }: BlocklistZone): string | null {
  if (rowsByZone.has(zone)) return null;
  const ending = Object.keys(refusedZones).find((end) => zone === end || zone.endsWith(`.${end}`));
  return ending === undefined ? null : `${ending} ${refusedZones[ending]}`;
}

function withoutKey(zone: string): string {
  return zone.replace(/^[^.]+/, keyLabel);
}

export type CodeReading<Class extends string> =
  | { readonly outcome: "not-listed" }
  /** The list refuses our queries. */
  | { readonly outcome: "refused" }
  /** Not an answer of this list: the zone is parked or hijacked, or the code is undocumented. */
  | { readonly outcome: "nonsense" }
  | {
      readonly outcome: "listed";
      readonly class: Class;
      /** All returned codes of that class. */
      readonly codes: readonly string[];
      readonly meanings: readonly string[];
    };

/** What the addresses of an answer mean. If there are several codes, only those of the worst class count, in the order of `codes`. */
export function readCodes<Class extends string>(
  addresses: readonly string[],
  codes: readonly Code<Class>[],
  refusals: readonly string[] = [],
): CodeReading<Class> {
  if (addresses.length === 0) return { outcome: "not-listed" };
  const refusing = ["127.255.255.*", ...refusals];
  if (addresses.some((address) => refusing.some((code) => matchesCode(address, code)))) return { outcome: "refused" };
  if (!addresses.every((address) => address.startsWith("127."))) return { outcome: "nonsense" };
  const matching = codes.filter(({ code }) => addresses.some((address) => matchesCode(address, code)));
  const worst = matching[0]?.class;
  if (worst === undefined) return { outcome: "nonsense" };
  const counted = matching.filter((code) => code.class === worst);
  return {
    outcome: "listed",
    class: worst,
    codes: addresses.filter((address) => counted.some(({ code }) => matchesCode(address, code))).sort(),
    meanings: counted.map(({ meaning }) => meaning),
  };
}

/** More than any list really returns. It keeps a hostile list from filling a report. */
const maxAddresses = 16;

export function addressesOf(records: readonly DnsRecord[]): string[] {
  return records.flatMap((record) => (record.type === "A" ? [record.address] : [])).slice(0, maxAddresses);
}

/** Whether an address matches a code of the table: `127.0.0.4-7`, `127.0.*.3`, `127.0.0.&8`. */
export function matchesCode(address: string, code: string): boolean {
  const octets = address.split(".");
  return code.split(".").every((part, index) => matchesPart(Number(octets[index]), part));
}

function matchesPart(octet: number, part: string): boolean {
  if (part === "*") return true;
  if (part.startsWith("&")) return (octet & Number(part.slice(1))) !== 0;
  const [from = "", to = from] = part.split("-");
  return octet >= Number(from) && octet <= Number(to);
}
