// A DNS query and its outcome: the evidence for verdicts. Pure, so that records, reports and checks can read it.

export const recordTypes = [
  "A",
  "AAAA",
  "CNAME",
  "MX",
  "NS",
  "PTR",
  "SOA",
  "TXT",
  "TLSA",
  "CAA",
  "DS",
  "DNSKEY",
  "SRV",
] as const;

export type RecordType = (typeof recordTypes)[number];

/** How a query ended. All but the first three are trouble on our side or the server's, never a fact about the name. */
export type DnsStatus =
  | "answered"
  | "nodata"
  | "nxdomain"
  | "servfail"
  | "refused"
  | "timeout"
  | "unreachable"
  | "malformed"
  /** The server said that the name does not exist, but it knows no public names at all. */
  | "private"
  /** Never sent, or not waited for, because the limit of the analysis was reached. */
  | "budget";

export type DnsRecord =
  | { readonly type: "A" | "AAAA"; readonly address: string }
  | { readonly type: "CNAME" | "NS" | "PTR"; readonly target: string }
  | { readonly type: "MX"; readonly preference: number; readonly exchange: string }
  | { readonly type: "TXT"; readonly parts: readonly string[] }
  | { readonly type: "SOA"; readonly primary: string; readonly serial: number; readonly minimum: number }
  | {
      readonly type: "TLSA" | "CAA" | "DS" | "DNSKEY" | "SRV";
      readonly fields: Readonly<Record<string, string | number>>;
    };

/** One query and its outcome: kept with a test as evidence, and read back by a replay. Plain JSON. */
export type DnsAnswer = {
  readonly name: string;
  readonly type: RecordType;
  readonly status: DnsStatus;
  readonly records: readonly DnsRecord[];
  /** The names that CNAMEs led to, in order, down to the one that answered. Left out if there were none. */
  readonly aliases?: readonly string[];
  /** Seconds, of the shortest-lived record or of the negative answer. Null if nothing may be cached. */
  readonly ttlSeconds: number | null;
  /** The AD flag, which means something only from a trusted resolver. */
  readonly authenticated: boolean;
  readonly server: string | null;
  readonly durationMs: number;
  readonly at: number;
};

export type Dns = {
  /** Never rejects. Errors are a status. */
  readonly query: (name: string, type: RecordType) => Promise<DnsAnswer>;
};

/** The outcome of a query, without the query. */
export type DnsOutcome = Pick<DnsAnswer, "status" | "records" | "aliases" | "ttlSeconds" | "authenticated">;

/** An outcome without records. */
export function withoutRecords(status: DnsStatus, ttlSeconds: number | null = null): DnsOutcome {
  return { status, records: [], ttlSeconds, authenticated: false };
}

/** The answer for a query that no server answered. */
export function unanswered(name: string, type: RecordType, status: DnsStatus, at: number): DnsAnswer {
  const kept = toQuestionName(name) ?? toPrintableName(name.slice(0, 253));
  return { name: kept, type, ...withoutRecords(status), server: null, durationMs: 0, at };
}

/**
 * The name as queried and stored: lower case, no trailing dot. Null for a name that must not be queried. Code that
 * reads names as C strings stops at NUL and would fetch an attacker's key for another domain ("Composition Kills",
 * USENIX Security 2020, attack A3). A space is allowed, because SPF writes one as %_ (RFC 7208 §7.1).
 */
export function toQuestionName(name: string): string | null {
  if (name === ".") return name;
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (bare.length > 253) return null;
  return plainName.test(bare) ? bare.toLowerCase() : null;
}

/** Labels of printable characters, without the backslash. */
const plainName = /^[ --/-[\]-~]{1,63}(?:\.[ --/-[\]-~]{1,63})*$/;

/**
 * Unprintable bytes become `\DDD` (RFC 1035 §5.1), so that a stranger's name is safe to show and is never queried
 * again.
 */
export function toPrintableName(name: string): string {
  return name.replace(/[^ -[\]-~]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join(""),
  );
}

export function toQuestionKey(name: string, type: RecordType): string {
  return `${type} ${toQuestionName(name) ?? name}`;
}

/** The TXT records for an answer, each with its parts joined without a space (RFC 7208 §3.3). */
export function textsOf({ records }: Pick<DnsAnswer, "records">): string[] {
  return records.flatMap((record) => (record.type === "TXT" ? [record.parts.join("")] : []));
}

/** Whether a name is the other one or a subdomain of it. Both in lower case. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
