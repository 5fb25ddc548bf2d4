// A check of a domain for a person: the four verdicts with their records, what was found, what nobody could check.

import type { Fact } from "../checks/fact.ts";
import { whyWords } from "../checks/why-words.ts";
import {
  type DomainFacts,
  type DomainReport,
  factOf,
  type Verdict,
  type VerdictMechanism,
  verdictMechanisms,
} from "../reports/domain-report.ts";
import { isAboveInfo, type JudgedFinding, type Judgment } from "../reports/judgment.ts";
import { toGrade } from "../reports/score.ts";
import { toTable } from "./table.ts";

export function toDomainText(
  { domain, verdicts, facts, judgment }: DomainReport,
  columns: number | null,
): string {
  const mechanisms = verdictMechanisms.map((name) => [
    name.toUpperCase(),
    toWords(verdicts[name]),
    toShown(name, facts),
  ]);
  const sections = [
    toTable(
      [
        ["Domain", domain],
        ["Score", toScoreText(judgment)],
      ],
      columns,
    ),
    toTable(mechanisms, columns),
    ...judgment.findings.filter(isAboveInfo).map((finding) => toTable(toRows(finding), columns)),
    toTable(judgment.findings.filter((finding) => !isAboveInfo(finding)).flatMap(toRows), columns),
    toTable(toUnchecked(judgment), columns),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function toScoreText({ score: { composite, coverage } }: Judgment): string {
  if (composite === null) return "none: nothing could be checked";
  return `${composite} of 100 (${toGrade(composite)}), with ${Math.floor(coverage * 100)} % of what applies checked`;
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
  dkim: "no key is known; name a selector with --selector",
  dmarc: "no record",
  bimi: "no record",
};

function toRows({ severity, title, fix, occurrences }: JudgedFinding): string[][] {
  const others = occurrences.slice(1).map((one) => ["", one.title]);
  return [[severity, title], ...others, ...(fix === null ? [] : [["", fix]])];
}

function toUnchecked({ skipped, partly }: Judgment): string[][] {
  return [
    ...skipped.map(({ check, why }) => ["not checked", check, whyWords[why]]),
    ...partly.map(({ check, lacks, why }) => ["partly checked", `${check}, without ${lacks}`, whyWords[why]]),
  ];
}
