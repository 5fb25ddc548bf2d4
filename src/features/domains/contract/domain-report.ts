// The result of a domain check, as `assay domain --json` shows it: in camel case like every resource except a test. Its
// findings have the same fields as in a test (src/decisions.md, "Resources").

import { z } from "zod";
import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import type { Fact } from "../../../analyzer/checks/fact.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import {
  type DomainFacts,
  type DomainReport,
  factOf,
  isOf,
  type Mechanism,
  mechanisms,
} from "../../../analyzer/reports/domain-report.ts";
import { timestamp, toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Finding, judgmentFields, judgmentSummary, toJudgmentFields } from "../../tests/contract/judgment.ts";
import { dnsAliases, dnsAnswerFields } from "../../tests/contract/report.ts";

const dnsAnswer = z
  .strictObject({
    ...dnsAnswerFields,
    aliases: dnsAliases.optional(),
    ttlSeconds: z.number().nullable(),
    durationMs: z.number(),
  })
  .meta({ id: "DomainDnsAnswer" });

const { findings, grade, limit, plan, category_scores, skipped, not_applicable } = judgmentFields;

/**
 * The result of a check without the verdicts and details of the mechanisms. Each field is null until the first check.
 */
export const domainJudgmentFields = {
  grade,
  coverage: judgmentSummary.coverage,
  limit,
  findings,
  plan,
  categoryScores: category_scores,
  skipped,
  notApplicable: not_applicable,
  analysis: z
    .strictObject({
      version: z.string(),
      startedAt: timestamp.describe(
        "When this result was first found. Later checks with the same result only change `checkedAt`. A new entry is written once a day.",
      ),
      durationMs: z.number(),
      dns: z.array(dnsAnswer).describe("All DNS responses that the check used."),
    })
    .nullable(),
};

export const detailFields = {
  record: z.string().nullable().describe("The published record. `null` if there is none, or more than one."),
  findings: findings.unwrap(),
  facts: z.unknown().describe("The parsed record, in a format specific to the mechanism. `null` if unknown."),
  unknown: z.string().nullable().describe("Why the result is unknown."),
};

export function toDomainReportJson(report: DomainReport, catalog: CheckCatalog) {
  const { domain, judgment, verdicts, facts, analysis } = report;
  const { findings, category_scores, skipped, not_applicable, grade, limit, plan } = toJudgmentFields(report, catalog);
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
    // The other areas don't apply to a domain without a message.
    categoryScores: category_scores?.filter((area) => area.coverage !== null) ?? null,
    skipped,
    notApplicable: not_applicable,
    analysis: { version, startedAt: toTimestamp(startedAt), durationMs, dns: dns.map(toDnsJson) },
  };
}

type Detail = {
  /** As published; null if there is none, or more than one. */
  readonly record: string | null;
  readonly findings: readonly Finding[];
  readonly facts: unknown;
  /** Why it is unknown. */
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
  const details = mechanisms.map(toDetail);
  return Object.fromEntries(details) as Record<Mechanism, Detail>;
}

/** There is one row, for the domain itself. */
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

function toDnsJson({ at, records, aliases, ...answer }: DomainReport["analysis"]["dns"][number]) {
  return {
    ...answer,
    records: records.map((record) => ({ ...record })),
    ...(aliases && { aliases: [...aliases] }),
    at: toTimestamp(at),
  };
}
