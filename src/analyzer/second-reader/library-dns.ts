// Answers a library's DNS questions in the form of Node's resolver, and notes which of them have no answer. A verdict
// that would rest on one of these isn't compared.

import { type Dns, type DnsAnswer, type RecordType, recordTypes, toQuestionName } from "../dns/answer.ts";

type Resolver = (name: string, type: string) => Promise<string[][] | string[]>;

/** What a question was for, by its name. */
type QuestionPart = "dkim" | "dmarc" | "spf";

export type LibraryDns = { readonly resolver: Resolver; readonly isUnanswered: (part: QuestionPart) => boolean };

const codes: Readonly<Record<DnsAnswer["status"], string>> = {
  answered: "ENODATA",
  nodata: "ENODATA",
  nxdomain: "ENOTFOUND",
  servfail: "ESERVFAIL",
  refused: "EREFUSED",
  timeout: "ETIMEOUT",
  unreachable: "ECONNREFUSED",
  malformed: "EBADRESP",
  budget: "ETIMEOUT",
  private: "ETIMEOUT",
};

export function toLibraryDns(dns: Dns): LibraryDns {
  const unanswered = new Set<QuestionPart>();
  return {
    isUnanswered: (part) => unanswered.has(part),
    resolver: async (name, type) => {
      const asked = recordTypes.find((one) => one === type);
      // A name with a NUL or another strange byte is never asked: a resolver might cut it there.
      if (asked === undefined || toQuestionName(name) === null) throw toError("EBADNAME", name);
      const answer = await dns.query(name, asked);
      const values = answer.status === "answered" ? toValues(answer, asked) : [];
      if (values.length > 0) return values;
      if (!/^(answered|nodata|nxdomain)$/.test(answer.status)) unanswered.add(partOf(name));
      throw toError(codes[answer.status], name);
    },
  };
}

function partOf(name: string): QuestionPart {
  if (/\._domainkey\./i.test(name)) return "dkim";
  return /^_dmarc\./i.test(name) ? "dmarc" : "spf";
}

function toError(code: string, name: string): Error {
  return Object.assign(new Error(`${code} ${name}`), { code });
}

function toValues({ records }: DnsAnswer, type: RecordType): string[][] | string[] {
  const own = records.filter((record) => record.type === type);
  if (type === "TXT") return own.flatMap((record) => (record.type === "TXT" ? [[...record.parts]] : []));
  if (type === "MX")
    // Node's resolver returns objects here, which the library's types leave out.
    return own.flatMap((record) =>
      record.type === "MX" ? [{ exchange: record.exchange, priority: record.preference }] : [],
    ) as unknown as string[];
  return own.flatMap((record) => {
    if ("address" in record) return [record.address];
    return "target" in record ? [record.target] : [];
  });
}
