// The letter grade of a composite score. Imports nothing, because the web app loads it too (analyzer/words/grade-words.ts).

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

export type Scored = { readonly composite: number | null; readonly coverage: number };

/** The words that a list shows; null is unknown. */
type Results = Readonly<Record<"spf" | "dkim" | "dmarc", string | null>>;

/** Null if too little was checked, or authentication wasn't judged. `results`: null for a domain, which has no message. */
export function toGrade({ composite, coverage }: Scored, results: Results | null): Grade | null {
  const isUnjudged = results !== null && isOpen(results);
  return isUnjudged || composite === null || coverage < wellChecked ? null : gradeAt(composite);
}

/** Without a DMARC record, nothing else says whether the message is authenticated. */
function isOpen({ spf, dkim, dmarc }: Results): boolean {
  return (dmarc === "none" ? [spf, dkim] : [dmarc]).some((word) => word === null || word === "temperror");
}

type Points = { readonly mean: number | null; readonly limit: { readonly value: number } | null };

/** The score of what could be checked, however little that was; null if nothing was. */
export function toPoints({ mean, limit }: Points): number | null {
  return mean === null ? null : toTenths(limit?.value ?? mean);
}

/** Scores have at most one decimal. */
export function toTenths(points: number): number {
  return Math.round(points * 10) / 10;
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

/** Enough was checked for the score to be compared with others. */
export function isJudged(composite: number | null, coverage: number | null): composite is number {
  return composite !== null && coverage !== null && coverage >= leastChecked;
}

type Comparable = { readonly composite: number | null; readonly coverage: number | null };

/** The score, if enough was checked. */
export function toComparableScore({ composite, coverage }: Comparable): number | null {
  return isJudged(composite, coverage) ? composite : null;
}
