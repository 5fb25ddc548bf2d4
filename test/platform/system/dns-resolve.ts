import {
  type Dns,
  type DnsRecord,
  type DnsStatus,
  type RecordType,
  recordTypes,
  toPrintableName,
  toQuestionName,
} from "../../../src/analyzer/dns/answer.ts";

/** The contract of `dns.promises.resolve(name, type)`, for libraries that use it. */
export type Resolve = (name: string, type?: string) => Promise<ResolvedRecord[]>;

export type ResolvedRecord =
  | string
  | string[]
  | { exchange: string; priority: number }
  | Record<string, string | number>;

const codes: Readonly<Record<DnsStatus, string>> = {
  answered: "ENODATA",
  nodata: "ENODATA",
  nxdomain: "ENOTFOUND",
  servfail: "ESERVFAIL",
  refused: "EREFUSED",
  private: "EREFUSED",
  timeout: "ETIMEOUT",
  unreachable: "ECONNREFUSED",
  malformed: "EBADRESP",
  budget: "ETIMEOUT",
};

export function toResolve(dns: Dns): Resolve {
  return async (name, type = "A") => {
    if (!isRecordType(type)) throw toError("EBADQUERY", name, type);
    // The caller's error, so it never gets a code that means server trouble.
    if (toQuestionName(name) === null) throw toError("EBADNAME", name, type);
    const answer = await dns.query(name, type);
    if (answer.records.length === 0) throw toError(codes[answer.status], answer.name, type);
    // A new array each time: callers sort it in place.
    return answer.records.map(toResolved);
  };
}

function isRecordType(type: string): type is RecordType {
  return recordTypes.some((known) => known === type);
}

function toError(code: string, name: string, type: string): Error {
  const hostname = toPrintableName(name.slice(0, 253));
  const syscall = `query${type}`;
  return Object.assign(new Error(`${syscall} ${code} ${hostname}`), { code, hostname, syscall });
}

function toResolved(record: DnsRecord): ResolvedRecord {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.address;
    case "CNAME":
    case "NS":
    case "PTR":
      return record.target;
    case "MX":
      // Node writes the root, which means "accepts no mail" (RFC 7505), as an empty name.
      return { exchange: record.exchange === "." ? "" : record.exchange, priority: record.preference };
    case "TXT":
      return [...record.parts];
    case "SOA":
      return { nsname: record.primary, serial: record.serial, minttl: record.minimum };
    default:
      return { ...record.fields };
  }
}
