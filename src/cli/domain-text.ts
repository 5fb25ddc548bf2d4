// A check of a domain for a person: the four verdicts with their records, what was found, what nobody could check.

import { whyWords } from "../checks/why-words.ts";
import {
  type DomainFacts,
  type DomainReport,
  type Verdict,
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

function toShown(name: keyof DomainReport["verdicts"], facts: DomainFacts): string {
  const fact = { spf: facts.spfRecord, dkim: facts.dkimKeys, dmarc: facts.dmarc, bimi: facts.bimi }[name];
  if (!fact.known) return whyWords[fact.why];
  const { spfRecord, dkimKeys, dmarc, bimi } = facts;
  if (name === "spf" && spfRecord.known) return spfRecord.value.records.join(" | ");
  if (name === "dmarc" && dmarc.known) return dmarc.value.records.join(" | ");
  if (name === "bimi" && bimi.known) return bimi.value.records.join(" | ");
  return dkimKeys.known ? dkimKeys.value.map(({ selector }) => selector).join(", ") : "";
}

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
