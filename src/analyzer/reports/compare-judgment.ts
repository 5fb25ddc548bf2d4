// Compares two judgments: findings that are gone, new or changed, scores, and verdicts.

import type { Area, FindingId, Severity } from "../checks/check.ts";
import { type Change, changeOf } from "./changes.ts";
import type { JudgedFinding } from "./judgment.ts";
import { gradeOf, type Report, toResultWords } from "./report.ts";
import { areaLabels } from "./score.ts";

type ToldFinding = {
  readonly id: FindingId;
  readonly check: string;
  readonly area: Area;
  readonly severity: Severity;
  readonly title: string;
  /** The sentence with the evidence. */
  readonly summary: string;
  readonly cost: number;
  /** Number of occurrences. */
  readonly count: number;
};

/** The report of a test or a domain. */
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

/** A finding with an owner may occur next to the same finding without one. */
function readFindings({ judgment }: JudgedReport) {
  const byId = Map.groupBy(judgment.findings, ({ id }) => id);
  return new Map(
    [...byId].map(([id, alike]) => [id, { told: toTold(alike), essence: JSON.stringify(alike.map(toEssence)) }]),
  );
}

function toTold(alike: readonly JudgedFinding[]): ToldFinding {
  const [{ id, check, area, severity, title, says: summary }] = alike as readonly [JudgedFinding];
  const cost = alike.reduce((sum, one) => sum + one.cost, 0);
  const count = alike.reduce((sum, one) => sum + one.occurrences.length + one.leftOut, 0);
  return { id, check, area, severity, title, summary, cost, count };
}

/** Leaves out the gain of fixing it, which depends on all other findings. */
function toEssence({ severity, cost, ownedBy, occurrences, leftOut }: JudgedFinding) {
  return [severity, cost, ownedBy, occurrences.map(({ subject, says }) => [subject, says]), leftOut];
}

export type ScoreChange = {
  readonly of: Area | "composite";
  readonly label: string;
  /** Null if nothing could be checked. */
  readonly before: number | null;
  readonly after: number | null;
};

/** The composite first, then all areas, changed or not. */
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
    changeOf(what, was[what] ?? "unknown", is[what] ?? "unknown").map((change) => ({
      ...change,
      says: `${what} changed from ${change.before} to ${change.after}.`,
    })),
  );
}

function toVerdicts(report: Report): Record<string, string | null> {
  const { spf, dkim, dmarc } = toResultWords(report);
  const { dmarc: policy, arc, bimi } = report.authentication;
  const { kind } = report.judgment;
  return {
    SPF: spf,
    DKIM: dkim,
    DMARC: dmarc,
    "The DMARC policy": policy.known ? (policy.value.effective ?? "none published") : null,
    ARC: arc.known ? arc.value.result : null,
    BIMI: bimi.known ? bimi.value.result : null,
    "The message type": kind?.kind ?? null,
    "The grade": gradeOf(report),
  };
}
