// What a check of a domain found, as `assay domain --json` shows it: in camel case as every resource but a test's, each
// finding in it as in a test (decisions §1, §7).

import type { Fact } from "../checks/fact.ts";
import { whyWords } from "../checks/why-words.ts";
import {
  type DomainFacts,
  type DomainReport,
  factOf,
  isOf,
  type Mechanism,
  otherMechanisms,
  verdictMechanisms,
} from "../reports/domain-report.ts";
import { type Finding, toJudgmentFields } from "./judgment.ts";
import { toTimestamp } from "./primitives.ts";

export function toDomainReportJson({ domain, judgment, verdicts, facts, analysis }: DomainReport) {
  const { findings, category_scores, skipped, not_applicable, grade, limit, plan } =
    toJudgmentFields(judgment);
  const { composite: score, coverage } = judgment.score;
  const { version, startedAt, durationMs, dns } = analysis;
  return {
    domain,
    spf: verdicts.spf.word,
    dkim: verdicts.dkim.word,
    dmarc: verdicts.dmarc.word,
    bimi: verdicts.bimi.word,
    score,
    grade,
    coverage,
    limit,
    details: toDetails(facts, findings ?? []),
    findings,
    plan,
    // A bare domain has nothing in the other areas.
    categoryScores: category_scores?.filter((area) => area.coverage !== null),
    skipped,
    notApplicable: not_applicable,
    analysis: { version, startedAt: toTimestamp(startedAt), durationMs, dns: dns.map(toDnsJson) },
  };
}

type Detail = {
  /** As published; null where there is none, or nothing is published as one record. */
  readonly record: string | null;
  readonly findings: readonly Finding[];
  readonly facts: unknown;
  /** Why nothing is known of it. */
  readonly unknown: string | null;
};

function toDetails(facts: DomainFacts, findings: readonly Finding[]) {
  const toDetail = (mechanism: Mechanism): [Mechanism, Detail] => {
    const fact: Fact<unknown> = mechanism === "mx" ? toMxFact(facts.mx) : facts[factOf[mechanism]];
    return [
      mechanism,
      {
        record: recordOf(mechanism, facts),
        findings: findings.filter(({ check }) => isOf(mechanism, check)),
        facts: fact.known ? fact.value : null,
        unknown: fact.known ? null : whyWords[fact.why],
      },
    ];
  };
  const details = [...verdictMechanisms, ...otherMechanisms].map(toDetail);
  return Object.fromEntries(details) as Record<Mechanism, Detail>;
}

/** There is one row, of the domain itself. */
function toMxFact(mx: DomainFacts["mx"]): Fact<unknown> {
  return mx.known ? (mx.value[0]?.fact ?? { known: false, why: "budget" }) : mx;
}

function recordOf(mechanism: Mechanism, facts: DomainFacts): string | null {
  const { spfRecord, dkimKeys, dmarc, bimi, mtasts, tlsrpt } = facts;
  if (mechanism === "spf") return firstOf(spfRecord, ({ records }) => records);
  if (mechanism === "dkim") return firstOf(dkimKeys, (keys) => keys[0]?.records ?? []);
  if (mechanism === "dmarc") return firstOf(dmarc, ({ record }) => (record === null ? [] : [record]));
  if (mechanism === "bimi") return firstOf(bimi, ({ records }) => records);
  if (mechanism === "mtaSts") return firstOf(mtasts, ({ records }) => records);
  if (mechanism === "tlsRpt") return firstOf(tlsrpt, ({ records }) => records);
  return null;
}

function firstOf<T>(fact: Fact<T>, read: (value: T) => readonly string[]): string | null {
  return fact.known ? (read(fact.value)[0] ?? null) : null;
}

function toDnsJson({ at, ...answer }: DomainReport["analysis"]["dns"][number]) {
  return { ...answer, at: toTimestamp(at) };
}
