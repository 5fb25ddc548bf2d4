// A score as a letter and a tone: in the app, on a shared page, in a saved report.

import { type Grade, gradeAt, grades, leastChecked, wellChecked } from "../reports/grade-words.ts";
import { toWholeShares } from "../reports/split-score.ts";
import type { Tone } from "./plain-words.ts";

/** Where each grade except the last begins, best first. */
export const gradeMarks = grades.filter(({ from }) => from > 0);

/** The difference of two scores as they are shown, so that readers can check it. */
export function toWholePoints(from: number, to: number): number {
  return Math.floor(to) - Math.floor(from);
}

/** Causes whose points add up to that. */
export function toWholeCauses<C extends { readonly points: number }>(
  causes: readonly C[],
  whole: number,
): readonly C[] {
  const shares = toWholeShares(
    causes.map(({ points }) => points),
    whole,
  );
  return causes.map((cause, index) => ({ ...cause, points: shares[index] ?? 0 })).filter(({ points }) => points !== 0);
}

/** What a test without a grade, or without a score, lacks. */
export function toMissing(composite: number | null, coverage: number): string {
  if (composite === null) return `A score needs ${leastChecked * 100}%.`;
  return coverage < wellChecked ? `A grade needs ${wellChecked * 100}%.` : "A grade needs authentication.";
}

const toneOfGrade: Readonly<Record<Grade, Tone>> = { A: "good", B: "info", C: "minor", D: "major", F: "critical" };

/** Whether or not there is a grade. */
export function toneOfScore(score: number | null): Tone {
  return score === null ? "unknown" : toneOfGrade[gradeAt(score)];
}
