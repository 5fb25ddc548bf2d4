// What changed between two reports, and why: the mail, the sender, DNS, the circumstances, or our own rules. Reports
// depend on nothing else, so any unexplained change comes from our rules.

import type { FindingId } from "../checks/check.ts";
import type { Change } from "./changes.ts";
import { compareDns, type DnsChange } from "./compare-dns.ts";
import {
  compareFindings,
  compareScores,
  compareVerdicts,
  type FindingChanges,
  type ScoreChange,
} from "./compare-judgment.ts";
import {
  compareCircumstances,
  compareMail,
  compareSenders,
  isSameMessage,
  ownThings,
  type Side,
} from "./compare-mail.ts";
import type { Grade } from "./grade-words.ts";
import { gradeOf, type Report } from "./report.ts";

export const causes = ["mail", "infrastructure", "dns", "circumstances", "rules"] as const;
export type ScoreCause = (typeof causes)[number];
type Cause = ScoreCause;

export type Comparison = {
  /** In plain sentences, the most important first. */
  readonly says: readonly string[];
  /** What may have changed the verdicts. */
  readonly causes: readonly Cause[];
  readonly mail: readonly Change[];
  readonly infrastructure: readonly Change[];
  readonly dns: readonly DnsChange[];
  readonly circumstances: readonly Change[];
  readonly rules: {
    /** Versions of Assay. */
    readonly before: string;
    readonly after: string;
    /** Findings that differ although nothing else does. */
    readonly findings: readonly FindingId[];
  };
  readonly verdicts: readonly Change[];
  readonly findings: FindingChanges;
  readonly scores: readonly ScoreChange[];
  readonly coverage: { readonly before: number; readonly after: number };
  readonly grade: { readonly before: Grade | null; readonly after: Grade | null };
};

export function compareReports(before: Side, after: Side): Comparison {
  const judged = compareJudgments(before.report, after.report);
  const outside = compareOutside(before, after, judged);
  const found = causes.filter((cause) => cause !== "rules" && outside[cause].length > 0);
  const versions = { before: before.report.analysis.version, after: after.report.analysis.version };
  const isAlone = isOtherwise(judged) && found.length === 0;
  const mayBeRules = isAlone || (isOtherwise(judged) && versions.before !== versions.after);
  const comparison = {
    ...outside,
    ...judged,
    causes: mayBeRules ? [...found, "rules" as const] : found,
    rules: { ...versions, findings: isAlone ? idsOf(judged.findings) : [] },
  };
  return { ...comparison, says: toSentences(comparison) };
}

type Outside = Pick<Comparison, Exclude<Cause, "rules">>;
type JudgmentChanges = Pick<Comparison, "verdicts" | "findings" | "scores" | "coverage" | "grade">;

function compareOutside(before: Side, after: Side, judged: JudgmentChanges): Outside {
  const outside = {
    mail: compareMail(before, after),
    infrastructure: compareSenders(before, after),
    dns: compareDns(before.report.analysis.dns, after.report.analysis.dns),
    circumstances: compareCircumstances(before, after),
  };
  const isUntold = Object.values(outside).every((changes) => changes.length === 0);
  const isOwn = isUntold && isOtherwise(judged) && !isSameMessage(before, after);
  return isOwn ? { ...outside, mail: [ownThings] } : outside;
}

function compareJudgments(before: Report, after: Report): JudgmentChanges {
  return {
    verdicts: compareVerdicts(before, after),
    findings: compareFindings(before, after),
    scores: compareScores(before, after),
    coverage: { before: before.judgment.score.coverage, after: after.judgment.score.coverage },
    grade: { before: gradeOf(before), after: gradeOf(after) },
  };
}

function isOtherwise({ verdicts, findings, scores, coverage }: JudgmentChanges): boolean {
  return (
    verdicts.length > 0 ||
    idsOf(findings).length > 0 ||
    coverage.before !== coverage.after ||
    scores.some(({ before, after }) => before !== after)
  );
}

function idsOf({ gone, added, changed }: FindingChanges): FindingId[] {
  return [...gone, ...added, ...changed.map(({ after }) => after)].map(({ id }) => id);
}

/** Per type of change. The lists have all of them. */
const maxSentences = 6;

function toSentences(told: Omit<Comparison, "says">): string[] {
  const { verdicts, findings, coverage, mail, infrastructure, dns, circumstances } = told;
  const sentences = [
    ...toVerdictSentences(told),
    ...cut(verdicts.map(({ says }) => says)),
    ...[infrastructure, dns, mail, circumstances].flatMap((changes) => cut(changes.map(({ says }) => says))),
    ...toRuleSentences(told),
    ...cut(findings.gone.map(({ title }) => `No longer found: ${title}`)),
    ...cut(findings.added.map(({ title }) => `New: ${title}`)),
    ...cut(findings.changed.map(({ after }) => `Changed: ${after.title}`)),
    ...toCoverageSentence(coverage),
  ];
  return sentences.length > 0 ? sentences : ["No relevant changes."];
}

function cut(sentences: readonly string[]): string[] {
  const more = sentences.length - maxSentences;
  return more <= 0 ? [...sentences] : [...sentences.slice(0, maxSentences), `And ${more} more like these.`];
}

function toVerdictSentences({ scores }: Pick<Comparison, "scores">): string[] {
  const [composite] = scores;
  if (!composite || composite.before === composite.after) return [];
  const { before, after } = composite;
  if (before === null) return [`The report now has a score: ${after}.`];
  if (after === null) return [`The report no longer has a score. It was ${before}.`];
  return [`The score ${after > before ? "rose" : "fell"} from ${before} to ${after}.`];
}

function toRuleSentences({ causes, rules }: Pick<Comparison, "causes" | "rules">): string[] {
  if (!causes.includes("rules")) return [];
  const { before, after } = rules;
  if (causes.length === 1)
    return before === after
      ? ["Nothing else changed, so the cause is a change in Assay's own rules."]
      : [`Nothing else changed, so the cause is a change in Assay's own rules (from version ${before} to ${after}).`];
  return [`Assay changed from version ${before} to ${after}, so some changes may come from its own rules.`];
}

function toCoverageSentence({ before, after }: Comparison["coverage"]): string[] {
  const [was, is] = [before, after].map((share) => Math.round(share * 100));
  if (was === is) return [];
  return [`${is}% of checks were completed, compared with ${was}% before.`];
}
