export type RecordType =
  | "A"
  | "AAAA"
  | "CNAME"
  | "MX"
  | "NS"
  | "PTR"
  | "SOA"
  | "TXT"
  | "TLSA"
  | "CAA"
  | "DS"
  | "DNSKEY"
  | "SRV";

/** How a question ended. Everything but the first three is our trouble or the server's, never a fact about the name. */
export type DnsStatus =
  | "answered"
  | "nodata"
  | "nxdomain"
  | "servfail"
  | "refused"
  | "timeout"
  | "unreachable"
  | "malformed";

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
