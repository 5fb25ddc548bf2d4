// A DNS question and what came of it: the evidence that verdicts stand on. Pure, so that records, reports and checks can read it.

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

/** How a question ended. Everything but the first three is our trouble or the server's, never a fact about the name. */
export type DnsStatus =
  | "answered"
  | "nodata"
  | "nxdomain"
  | "servfail"
  | "refused"
  | "timeout"
  | "unreachable"
  | "malformed"
  /** Never asked, or not waited for: our own bound on an analysis was reached. */
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

/** One question and what came of it: the evidence kept with a test, and what a replay reads back. JSON throughout. */
export type DnsAnswer = {
  readonly name: string;
  readonly type: RecordType;
  readonly status: DnsStatus;
  readonly records: readonly DnsRecord[];
  /** The names that CNAMEs led to, one after the other, down to the one that answered; left out where there were none. */
  readonly aliases?: readonly string[];
  /** Seconds; of the shortest-lived record, or of the negative answer. Null where nothing may be kept. */
  readonly ttlSeconds: number | null;
  /** The AD flag: only worth something from a resolver that we trust. */
  readonly authenticated: boolean;
  readonly server: string | null;
  readonly durationMs: number;
  readonly at: number;
};

export type Dns = {
  /** Never rejects: trouble is a status. */
  readonly query: (name: string, type: RecordType) => Promise<DnsAnswer>;
};

/** What came of a question, without the question. */
export type DnsOutcome = Pick<DnsAnswer, "status" | "records" | "aliases" | "ttlSeconds" | "authenticated">;

/** An outcome without records. */
export function withoutRecords(status: DnsStatus, ttlSeconds: number | null = null): DnsOutcome {
  return { status, records: [], ttlSeconds, authenticated: false };
}

/** The answer to a question that no server answered. */
export function unanswered(name: string, type: RecordType, status: DnsStatus, at: number): DnsAnswer {
  const kept = toQuestionName(name) ?? toPrintableName(name.slice(0, 253));
  return { name: kept, type, ...withoutRecords(status), server: null, durationMs: 0, at };
}

/**
 * The name as it is asked and kept: lower case, no closing dot. Null for one that must not be asked: whatever
 * reads a name as a C string stops at NUL, and an attacker's key is then fetched for somebody else's domain
 * ("Composition Kills", USENIX Security 2020, attack A3). A space may be asked: SPF writes one as %_ (RFC 7208 §7.1).
 */
export function toQuestionName(name: string): string | null {
  if (name === ".") return name;
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (bare.length > 253) return null;
  return plainName.test(bare) ? bare.toLowerCase() : null;
}

/** Labels of what prints, without the backslash. */
const plainName = /^[ --/-[\]-~]{1,63}(?:\.[ --/-[\]-~]{1,63})*$/;

/** Bytes that do not print become `\DDD` (RFC 1035 §5.1), so that a stranger's name is safe to show, and is never asked again. */
export function toPrintableName(name: string): string {
  return name.replace(/[^ -[\]-~]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join(""),
  );
}

export function toQuestionKey(name: string, type: RecordType): string {
  return `${type} ${toQuestionName(name) ?? name}`;
}

/** The TXT records of an answer, each with its parts joined: without a space (RFC 7208 §3.3). */
export function textsOf({ records }: Pick<DnsAnswer, "records">): string[] {
  return records.flatMap((record) => (record.type === "TXT" ? [record.parts.join("")] : []));
}

/** Whether a name is the other or lies below it; both in lower case. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
