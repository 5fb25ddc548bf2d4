// DNS answers in plain words.

import type { TestReport } from "../contract/tests.ts";

export type DnsAnswer = NonNullable<TestReport["analysis"]>["dns"][number];

const statusWords: Readonly<Record<string, string>> = {
  nxdomain: "name not found",
  nodata: "record not found",
  timeout: "timed out",
  servfail: "the name server returned an error",
  refused: "refused",
  private: "not known to this DNS server, which does not resolve public names",
  unreachable: "no name server was reachable",
  malformed: "the response was unreadable",
  budget: "not looked up (out of time)",
};

export function toAnswerText({ status, records }: DnsAnswer): string {
  if (records.length === 0) return statusWords[status] ?? status;
  return records.map(toRecordText).join("\n");
}

const answers: ReadonlySet<string> = new Set(["answered", "nodata", "nxdomain"]);

/** Then the answer is unknown, which says nothing about the name. */
export function isUnanswered({ status }: Pick<DnsAnswer, "status">): boolean {
  return !answers.has(status);
}

type NamedAnswers = { readonly name: string; readonly answers: readonly DnsAnswer[] };

/** All answers of one name together, in the order of the first lookups. Names with an unanswered lookup come first. */
export function groupByName(dns: readonly DnsAnswer[]): readonly NamedAnswers[] {
  const groups = [...Map.groupBy(dns, ({ name }) => name)].map(([name, answers]) => ({ name, answers }));
  const isOpen = ({ answers: all }: NamedAnswers) => all.some(isUnanswered);
  return [...groups.filter(isOpen), ...groups.filter((group) => !isOpen(group))];
}

function toRecordText({ type: _, parts, ...fields }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(parts)) return `"${parts.join("")}"`;
  return Object.values(fields)
    .flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : [value]))
    .filter((value) => value !== null && typeof value !== "object")
    .join(" ");
}
