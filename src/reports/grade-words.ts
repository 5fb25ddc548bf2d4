// The letter grade of a composite score. Imports nothing, because the web app loads it too (api/grade-words.ts).

export type Grade = "A" | "B" | "C" | "D" | "F";

/** The best first. */
export const grades: readonly { readonly grade: Grade; readonly from: number }[] = [
  { grade: "A", from: 90 },
  { grade: "B", from: 80 },
  { grade: "C", from: 70 },
  { grade: "D", from: 55 },
  { grade: "F", from: 0 },
];

/** Below this coverage a score says little and must not look like a pass. */
export const wellChecked = 0.8;
/** Below this coverage there is no score. */
export const leastChecked = 0.5;

type Scored = { readonly composite: number | null; readonly coverage: number };

type JudgedSubject = { readonly score: Scored; readonly skipped: readonly { readonly check: string }[] };

/** Null if too little was checked, or authentication wasn't judged. */
export function toGrade({ score: { composite, coverage }, skipped }: JudgedSubject): Grade | null {
  const isOpen = skipped.some(({ check }) => check === "dmarc-result");
  return isOpen || composite === null || coverage < wellChecked ? null : gradeAt(composite);
}

type Results = Readonly<Record<"spf" | "dkim" | "dmarc", string | null>>;

/** The same of a test in a list, which has only the results. */
export function toListedGrade(score: Scored, { spf, dkim, dmarc }: Results): Grade | null {
  const isOpen = (word: string | null) => word === null || word === "temperror";
  const isUnproven = dmarc === "none" && dkim !== "pass" && (isOpen(spf) || isOpen(dkim));
  return toGrade({ score, skipped: isOpen(dmarc) || isUnproven ? [{ check: "dmarc-result" }] : [] });
}

type Points = { readonly mean: number | null; readonly limit: { readonly value: number } | null };

/** The score of what could be checked, however little that was; null if nothing was. */
export function toPoints({ mean, limit }: Points): number | null {
  return mean === null ? null : Math.round((limit?.value ?? mean) * 10) / 10;
}

/** Independent of coverage. */
export function gradeAt(composite: number): Grade {
  return grades.find(({ from }) => composite >= from)?.grade ?? "F";
}

/** Without decimals, and never better than its grade: 89.9 is 89, a B. */
export function toWholeScore(score: number): string {
  return String(Math.floor(score));
}

/** The word for a score without a grade, wherever it is shown. */
export const provisional = "provisional";
export const provisionalWhy = `Provisional: no grade, because authentication was not tested or less than ${wellChecked * 100}% of checks were completed.`;
