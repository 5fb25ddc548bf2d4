// What two judgments say differently: findings that are gone, new or changed, scores, and the words of the verdicts.

import type { Area, FindingId, Severity } from "../checks/check.ts";
import { type Change, changeOf } from "./changes.ts";
import { toGrade } from "./grade-words.ts";
import type { JudgedFinding } from "./judgment.ts";
import { type Report, toResultWords } from "./report.ts";
import { areaLabels } from "./score.ts";

type ToldFinding = {
  readonly id: FindingId;
  readonly check: string;
  readonly area: Area;
  readonly severity: Severity;
  readonly title: string;
  /** A sentence, with the evidence. */
  readonly summary: string;
  readonly cost: number;
  /** Of how many things the same is found. */
  readonly count: number;
};

/** A test's report, or a domain's. */
type JudgedReport = Pick<Report, "judgment">;

export type FindingChanges = {
  readonly gone: readonly ToldFinding[];
  readonly added: readonly ToldFinding[];
  readonly changed: readonly { readonly before: ToldFinding; readonly after: ToldFinding }[];
};

export function compareFindings(before: JudgedReport, after: JudgedReport): FindingChanges {
  const earlier = readFindings(before);
  const later = readFindings(after);
  const both = [...later].flatMap(([id, is]) => {
    const was = earlier.get(id);
    return was ? [{ was, is }] : [];
  });
  return {
    gone: [...earlier].flatMap(([id, { told }]) => (later.has(id) ? [] : [told])),
    added: [...later].flatMap(([id, { told }]) => (earlier.has(id) ? [] : [told])),
    changed: both
      .filter(({ was, is }) => was.essence !== is.essence)
      .map(({ was, is }) => ({ before: was.told, after: is.told })),
  };
}

/** A finding that a cause owns stands beside the same one that none does. */
function readFindings({ judgment }: JudgedReport) {
  const byId = Map.groupBy(judgment.findings, ({ id }) => id);
  return new Map(
    [...byId].map(([id, alike]) => [
      id,
      { told: toTold(alike), essence: JSON.stringify(alike.map(toEssence)) },
    ]),
  );
}

function toTold(alike: readonly JudgedFinding[]): ToldFinding {
  const [{ id, check, area, severity, title, says: summary }] = alike as readonly [JudgedFinding];
  const cost = alike.reduce((sum, one) => sum + one.cost, 0);
  const count = alike.reduce((sum, one) => sum + one.occurrences.length + one.leftOut, 0);
  return { id, check, area, severity, title, summary, cost, count };
}

/** What it would give to mend it depends on all others, and is none of its own. */
function toEssence({ severity, cost, ownedBy, occurrences, leftOut }: JudgedFinding) {
  return [severity, cost, ownedBy, occurrences.map(({ subject, says }) => [subject, says]), leftOut];
}

export type ScoreChange = {
  readonly of: Area | "composite";
  readonly label: string;
  /** Null where nothing could be checked. */
  readonly before: number | null;
  readonly after: number | null;
};

/** The composite first, then every area, changed or not. */
export function compareScores(
  { judgment: { score: before } }: Report,
  { judgment: { score: after } }: Report,
): ScoreChange[] {
  const earlier = new Map(before.areas.map(({ area, score }) => [area, score]));
  return [
    { of: "composite", label: "Score", before: before.composite, after: after.composite },
    ...after.areas.map(({ area, score }) => ({
      of: area,
      label: areaLabels[area],
      before: earlier.get(area) ?? null,
      after: score,
    })),
  ];
}

export function compareVerdicts(before: Report, after: Report): Change[] {
  const was = toVerdicts(before);
  const is = toVerdicts(after);
  return Object.keys(is).flatMap((what) =>
    changeOf(what, was[what] ?? "not known", is[what] ?? "not known").map((change) => ({
      ...change,
      says: `${what} went from ${change.before} to ${change.after}.`,
    })),
  );
}

function toVerdicts(report: Report): Record<string, string | null> {
  const { spf, dkim, dmarc } = toResultWords(report);
  const { dmarc: policy, arc, bimi } = report.authentication;
  const { kind, score } = report.judgment;
  return {
    SPF: spf,
    DKIM: dkim,
    DMARC: dmarc,
    "The DMARC policy": policy.known ? (policy.value.effective ?? "none published") : null,
    ARC: arc.known ? arc.value.result : null,
    BIMI: bimi.known ? bimi.value.result : null,
    "The kind of message": kind?.kind ?? null,
    "The grade": toGrade(score),
  };
}
