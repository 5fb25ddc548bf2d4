// One record that a domain should publish, and what stands in its place now. What stands there is read from the answers
// themselves and not from the facts, which keep a stranger's long text in part.

import { whyUnknown } from "../checks/fact.ts";
import { type DnsAnswer, textsOf } from "../dns/answer.ts";
import type { DomainFacts } from "../reports/domain-report.ts";

export type PublishableRecord = {
  /** Fully qualified, without the trailing dot. */
  readonly name: string;
  readonly type: "TXT" | "MX" | "CNAME";
  /** A text as one piece, everything else as a zone file has it. Empty where somebody else must say what it is. */
  readonly value: string;
  readonly ttl: number;
  readonly status: "present" | "missing" | "change";
  /** For a person; more than one line where a file goes with it. */
  readonly why: string;
};

export type Row = Omit<PublishableRecord, "ttl">;
/** Of a domain's report; or what a message's tells of one domain. */
export type Evidence = {
  readonly domain: string;
  readonly facts: Pick<
    DomainFacts,
    "spfRecord" | "dkimKeys" | "dmarc" | "mx" | "mtasts" | "tlsrpt" | "zone" | "parked"
  >;
  readonly analysis: { readonly dns: readonly DnsAnswer[] };
};

/** Undefined where nobody asked, or DNS did not answer. */
export function findAnswer(
  { analysis }: Evidence,
  name: string,
  type: DnsAnswer["type"],
): DnsAnswer | undefined {
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
  /** The texts of its kind that stand there now. */
  readonly present: readonly string[];
  readonly why: string;
  /** Something must change that no value tells. */
  readonly isFaulty?: boolean;
};

/** What is right as it stands is repeated as it stands: an alias (CNAME) leads to what its owner may change. */
export function toTextRow(evidence: Evidence, { name, value, present, why, isFaulty = false }: Wanted): Row {
  const plain = toPlain(value);
  const isThere = present.length === 1 && present[0] === plain;
  const [alias] = findAnswer(evidence, name, "TXT")?.aliases ?? [];
  const status = isThere && !isFaulty ? "present" : present.length === 0 ? "missing" : "change";
  return isThere && alias !== undefined
    ? { name, type: "CNAME", value: toRootedName(alias), status, why }
    : { name, type: "TXT", value: plain, status, why };
}

/** No record about mail has a use for other characters, and a stranger's may move a terminal's cursor. */
export function toPlain(text: string): string {
  return text.replace(/[^ -~]/g, "");
}

/** RFC 1035 §5.1: what has a meaning of its own in a zone file, or does not print, becomes `\DDD`. */
export function toRootedName(name: string): string {
  if (name === ".") return name;
  const bytes = Buffer.from(name.replace(/\.$/, ""), "utf8").toString("latin1");
  return `${bytes.replace(/[^A-Za-z0-9_.*-]/g, toDecimalEscape)}.`;
}

export function toDecimalEscape(byte: string): string {
  return `\\${String(byte.charCodeAt(0)).padStart(3, "0")}`;
}
