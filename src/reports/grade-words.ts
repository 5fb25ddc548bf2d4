// A composite score as a letter. Nothing is imported here, because a reader's browser loads it too (api/grade-words.ts).

export type Grade = "A" | "B" | "C" | "D" | "F";

/** The best first. */
export const grades: readonly { readonly grade: Grade; readonly from: number }[] = [
  { grade: "A", from: 90 },
  { grade: "B", from: 80 },
  { grade: "C", from: 70 },
  { grade: "D", from: 55 },
  { grade: "F", from: 0 },
];

/** Under this a score says little, and must not look like a pass of what nobody saw. */
export const wellChecked = 0.8;

type Scored = { readonly composite: number | null; readonly coverage: number };

/** None where too little was checked. */
export function toGrade({ composite, coverage }: Scored): Grade | null {
  return composite === null || coverage < wellChecked ? null : gradeAt(composite);
}

/** However much of it was checked. */
export function gradeAt(composite: number): Grade {
  return grades.find(({ from }) => composite >= from)?.grade ?? "F";
}
