// A zone as plain data, and DNS that responds from it. For tests, `--dns zone.txt` and DNS previews.

import {
  type Dns,
  type DnsOutcome,
  type DnsRecord,
  type RecordType,
  toQuestionName,
  unanswered,
  withoutRecords,
} from "./answer.ts";

/** How a name with problems answers. "fail" is a timeout. */
export type ZoneTrouble = "fail" | "timeout" | "servfail" | "refused" | "unreachable";

type Fields = Readonly<Record<string, string | number>>;

export type ValueOf = {
  A: string;
  AAAA: string;
  CNAME: string;
  NS: string;
  PTR: string;
  MX: { readonly preference: number; readonly exchange: string };
  /** One text, or the parts in which it is published, with one character per byte. */
  TXT: string | readonly string[];
  SOA: { readonly primary: string; readonly serial: number; readonly minimum: number };
  TLSA: Fields;
  CAA: Fields;
  DS: Fields;
  DNSKEY: Fields;
  SRV: Fields;
};

type RecordsByType = { readonly [T in RecordType]?: readonly ValueOf[T][] | ZoneTrouble };

export type ZoneRecords = RecordsByType & {
  /** TTL of each record at the name (default 300). */
  readonly ttlSeconds?: number;
};

export type ZoneEntry = ZoneRecords | ZoneTrouble;

/** Records by name. `*.example.com` answers for names that do not exist (RFC 4592). */
export type Zone = Readonly<Record<string, ZoneEntry>>;

export type ZoneAnswer = Omit<DnsOutcome, "aliases"> & {
  /** The CNAMEs from the question to the name that answered. */
  readonly aliases: readonly { readonly name: string; readonly target: string }[];
};

export const defaultTtlSeconds = 300;
const maxAliases = 16;

export function createZoneDns(zone: Zone, now: () => number = () => 0): Dns {
  const lookUp = createZoneLookup(zone);
  return {
    query: async (name, type) => {
      const { aliases: followed, ...outcome } = lookUp(name, type);
      const aliases = followed.map(({ target }) => toQuestionName(target) ?? target);
      const via = aliases.length > 0 ? { aliases } : {};
      return { ...unanswered(name, type, outcome.status, now()), ...outcome, ...via };
    },
  };
}

export function createZoneLookup(zone: Zone): (name: string, type: RecordType) => ZoneAnswer {
  const entries = new Map(Object.entries(zone).map(([name, entry]) => [toQuestionName(name) ?? name, entry]));
  const inner = new Set([...entries.keys()].flatMap(toAncestors));
  const find = (name: string) => entries.get(name) ?? (inner.has(name) ? {} : findWildcard(name, entries, inner));

  return (rawName, type) => {
    const name = toQuestionName(rawName);
    if (name === null) return { ...withoutRecords("malformed"), aliases: [] };
    const aliases: { name: string; target: string }[] = [];
    let owner = name;
    while (aliases.length <= maxAliases) {
      const entry = find(owner);
      const alias = findAlias(entry, type);
      if (alias === undefined) return { ...toOutcome(entry, type), aliases };
      aliases.push({ name: owner, target: alias });
      owner = toQuestionName(alias) ?? alias;
    }
    return { ...withoutRecords("servfail"), aliases: [] };
  };
}

export function toAncestors(name: string): string[] {
  const labels = name.split(".");
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
}

/** RFC 4592 §3.3.1: only the wildcard directly below the closest existing name counts. */
function findWildcard(name: string, entries: ReadonlyMap<string, ZoneEntry>, inner: ReadonlySet<string>) {
  const closest = toAncestors(name).find((ancestor) => entries.has(ancestor) || inner.has(ancestor));
  return closest === undefined ? undefined : entries.get(`*.${closest}`);
}

function findAlias(entry: ZoneEntry | undefined, type: RecordType): string | undefined {
  if (typeof entry !== "object" || type === "CNAME" || entry[type] !== undefined) return undefined;
  return Array.isArray(entry.CNAME) ? entry.CNAME[0] : undefined;
}

function toOutcome(entry: ZoneEntry | undefined, type: RecordType): DnsOutcome {
  if (entry === undefined) return withoutRecords("nxdomain", defaultTtlSeconds);
  const records = typeof entry === "string" ? entry : toRecords(entry, type);
  if (typeof records === "string") return withoutRecords(records === "fail" ? "timeout" : records);
  const ttlSeconds = (typeof entry === "object" ? entry.ttlSeconds : undefined) ?? defaultTtlSeconds;
  if (records.length === 0) return withoutRecords("nodata", ttlSeconds);
  return { status: "answered", records, ttlSeconds, authenticated: false };
}

function toRecords<T extends RecordType>(entry: RecordsByType, type: T): DnsRecord[] | ZoneTrouble {
  const values: readonly ValueOf[T][] | ZoneTrouble = entry[type] ?? [];
  return typeof values === "string" ? values : values.map((value) => toRecord[type](value));
}

const toFields =
  (type: "TLSA" | "CAA" | "DS" | "DNSKEY" | "SRV") =>
  (fields: Fields): DnsRecord => ({ type, fields });

/** One value of a type, in the form in which a zone has it. */
export function toZoneRecord<T extends RecordType>(type: T, value: ValueOf[T]): DnsRecord {
  return toRecord[type](value);
}

const toRecord: { readonly [T in RecordType]: (value: ValueOf[T]) => DnsRecord } = {
  A: (address) => ({ type: "A", address }),
  AAAA: (address) => ({ type: "AAAA", address }),
  CNAME: (target) => ({ type: "CNAME", target: withoutDot(target) }),
  NS: (target) => ({ type: "NS", target: withoutDot(target) }),
  PTR: (target) => ({ type: "PTR", target: withoutDot(target) }),
  MX: ({ preference, exchange }) => ({ type: "MX", preference, exchange: withoutDot(exchange) }),
  TXT: (text) => ({ type: "TXT", parts: typeof text === "string" ? toTextParts(text) : text }),
  SOA: ({ primary, serial, minimum }) => ({ type: "SOA", primary: withoutDot(primary), serial, minimum }),
  TLSA: toFields("TLSA"),
  CAA: toFields("CAA"),
  DS: toFields("DS"),
  DNSKEY: toFields("DNSKEY"),
  SRV: toFields("SRV"),
};

/** Packets have names without a trailing dot, and the root as a dot. */
function withoutDot(name: string): string {
  return name === "." ? name : name.replace(/\.$/, "");
}

/** RFC 1035 §3.3: a part has at most 255 bytes. */
export function toTextParts(text: string): string[] {
  return text.match(/.{1,255}/gs) ?? [""];
}
