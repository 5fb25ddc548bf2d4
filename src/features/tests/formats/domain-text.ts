// The check of a domain as text: the four verdicts with their records, then the findings.

import type { Fact } from "../../../analyzer/checks/fact.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import {
  type DomainFacts,
  type DomainReport,
  factOf,
  type Verdict,
  type VerdictMechanism,
  verdictMechanisms,
} from "../../../analyzer/reports/domain-report.ts";
import { toTable } from "../../../platform/table.ts";
import { toJudgmentText } from "./judgment-text.ts";
import type { Style } from "./style.ts";

export function toDomainText(report: DomainReport, style: Style): string {
  const rows = [["Domain", report.domain], ...toVerdictRows(report)];
  return `${toTable(rows, style.columns)}\n\n${toJudgmentText(report, style)}`;
}

/** The mechanism, its verdict, and its record. */
export function toVerdictRows({ verdicts, facts }: Pick<DomainReport, "verdicts" | "facts">): string[][] {
  return verdictMechanisms.map((name) => [name.toUpperCase(), toWords(verdicts[name]), toShown(name, facts)]);
}

function toWords({ word }: Verdict): string {
  return word === "error" ? "unknown" : word;
}

function toShown(name: VerdictMechanism, facts: DomainFacts): string {
  const fact = facts[factOf[name]];
  return fact.known ? readPublished[name](facts) || nothing[name] : whyWords[fact.why];
}

const between = <T>(fact: Fact<T>, read: (value: T) => readonly string[], separator = " | ") =>
  fact.known ? read(fact.value).join(separator) : "";

const readPublished: Readonly<Record<VerdictMechanism, (facts: DomainFacts) => string>> = {
  spf: ({ spfRecord }) => between(spfRecord, ({ records }) => records),
  dkim: ({ dkimKeys }) => between(dkimKeys, (keys) => keys.map(({ selector }) => selector), ", "),
  dmarc: ({ dmarc }) => between(dmarc, ({ records }) => records),
  bimi: ({ bimi }) => between(bimi, ({ records }) => records),
};

const nothing: Readonly<Record<VerdictMechanism, string>> = {
  spf: "no record",
  dkim: "no key found; set the selector with --selector",
  dmarc: "no record",
  bimi: "no record",
};
