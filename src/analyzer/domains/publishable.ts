// A record that a domain should publish, compared with the current one. Current values come from DNS answers, because
// facts shorten long text.

import { whyUnknown } from "../checks/fact.ts";
import { type DnsAnswer, textsOf } from "../dns/answer.ts";
import type { DomainFacts } from "../reports/domain-report.ts";

export type PublishableRecord = {
  /** Fully qualified, without the trailing dot. */
  readonly name: string;
  readonly type: "TXT" | "MX" | "CNAME";
  /** TXT as one string, other types in zone file syntax. Empty if the value must come from someone else. */
  readonly value: string;
  readonly ttl: number;
  readonly status: "present" | "missing" | "change";
  /** For users. Has several lines if a file goes with the record. */
  readonly why: string;
};

export type Row = Omit<PublishableRecord, "ttl">;
/** From a domain's report, or from what a message's report knows about a domain. */
export type Evidence = {
  readonly domain: string;
  readonly facts: Pick<
    DomainFacts,
    "spfRecord" | "dkimKeys" | "dmarc" | "mx" | "mtasts" | "tlsrpt" | "zone" | "parked"
  >;
  readonly analysis: { readonly dns: readonly DnsAnswer[] };
};

/** Undefined if it was not queried or DNS did not answer. */
export function findAnswer({ analysis }: Evidence, name: string, type: DnsAnswer["type"]): DnsAnswer | undefined {
  const wanted = name.toLowerCase();
  return analysis.dns.findLast(
    (answer) => answer.name === wanted && answer.type === type && whyUnknown(answer) === undefined,
  );
}

export function textsAt(evidence: Evidence, name: string): string[] {
  const answer = findAnswer(evidence, name, "TXT");
  return answer === undefined ? [] : textsOf(answer);
}

type Wanted = {
  readonly name: string;
  readonly value: string;
  /** Current TXT records for the same kind. */
  readonly present: readonly string[];
  readonly why: string;
  /** Something else needs a change that the value does not show. */
  readonly isFaulty?: boolean;
};

/** A correct record stays unchanged, including a CNAME, whose target may be managed by someone else. */
export function toTextRow(evidence: Evidence, { name, value, present, why, isFaulty = false }: Wanted): Row {
  const plain = toPlain(value);
  const isThere = present.length === 1 && present[0] === plain;
  const [alias] = findAnswer(evidence, name, "TXT")?.aliases ?? [];
  const status = isThere && !isFaulty ? "present" : present.length === 0 ? "missing" : "change";
  return isThere && alias !== undefined
    ? { name, type: "CNAME", value: toRootedName(alias), status, why }
    : { name, type: "TXT", value: plain, status, why };
}

/** Mail records never need other characters, and untrusted ones could control a terminal. */
export function toPlain(text: string): string {
  return text.replace(/[^ -~]/g, "");
}

/** RFC 1035 §5.1: special and unprintable characters become `\DDD`. */
export function toRootedName(name: string): string {
  if (name === ".") return name;
  const bytes = Buffer.from(name.replace(/\.$/, ""), "utf8").toString("latin1");
  return `${bytes.replace(/[^A-Za-z0-9_.*-]/g, toDecimalEscape)}.`;
}

export function toDecimalEscape(byte: string): string {
  return `\\${String(byte.charCodeAt(0)).padStart(3, "0")}`;
}
