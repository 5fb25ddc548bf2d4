import {
  type Dns,
  type DnsAnswer,
  type DnsRecord,
  type DnsStatus,
  type RecordType,
  recordTypes,
  toQuestionName,
} from "./dns.ts";

/** The contract of `dns.promises.resolve(name, type)`, for libraries that ask for it. */
export type Resolve = (name: string, type?: string) => Promise<unknown[]>;

const codes: Readonly<Record<DnsStatus, string>> = {
  answered: "ENODATA",
  nodata: "ENODATA",
  nxdomain: "ENOTFOUND",
  servfail: "ESERVFAIL",
  refused: "EREFUSED",
  timeout: "ETIMEOUT",
  unreachable: "ECONNREFUSED",
  malformed: "EBADRESP",
};

export function toResolve(dns: Dns): Resolve {
  return async (name, type = "A") => {
    if (!isRecordType(type)) throw toError("EBADQUERY", name, type);
    // The caller's fault, so never the code of a server's trouble.
    if (toQuestionName(name) === null) throw toError("EBADNAME", name, type);
    const answer = await dns.query(name, type);
    if (answer.records.length === 0) throw toError(codes[answer.status], answer.name, type);
    return toRuntimeRecords(answer);
  };
}

function isRecordType(type: string): type is RecordType {
  return recordTypes.some((known) => known === type);
}

function toError(code: string, hostname: string, type: string): Error {
  return Object.assign(new Error(`query${type} ${code} ${hostname}`), {
    code,
    hostname,
    syscall: `query${type}`,
  });
}

/** New arrays each time: callers sort them in place. */
function toRuntimeRecords({ records }: DnsAnswer): unknown[] {
  return records.map(toRuntimeRecord);
}

function toRuntimeRecord(record: DnsRecord): unknown {
  switch (record.type) {
    case "A":
    case "AAAA":
      return record.address;
    case "CNAME":
    case "NS":
    case "PTR":
      return record.target;
    case "MX":
      // The runtime writes the root, which is what "takes no mail" looks like (RFC 7505), as an empty name.
      return { exchange: record.exchange === "." ? "" : record.exchange, priority: record.preference };
    case "TXT":
      return [...record.parts];
    case "SOA":
      return { nsname: record.primary, serial: record.serial, minttl: record.minimum };
    default:
      return { ...record.fields };
  }
}
