// How bad something is: always a shape and a word, and a colour beside them.

import type { ComponentChildren } from "preact";
import { type Tone, toneWords } from "../../api/plain-words.ts";
import { Icon, type IconName } from "./icon.tsx";

export type { Tone };

/** The worst first. */
export const tones = Object.keys(toneWords) as readonly Tone[];

type Shown = { readonly tone: Tone; readonly icon?: IconName; readonly children?: ComponentChildren };

export function Severity({ tone, icon = tone, children = toneWords[tone] }: Shown) {
  return (
    <span class={`sev ${tone}`}>
      <Icon name={icon} /> {children}
    </span>
  );
}

export function Badge({ tone, icon = tone, children = toneWords[tone] }: Shown) {
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}

export type Grade = "A" | "B" | "C" | "D" | "F";

const grades: readonly { readonly grade: Grade; readonly from: number; readonly tone: Tone }[] = [
  { grade: "A", from: 90, tone: "good" },
  { grade: "B", from: 80, tone: "info" },
  { grade: "C", from: 70, tone: "minor" },
  { grade: "D", from: 55, tone: "major" },
  { grade: "F", from: 0, tone: "critical" },
];

export const gradeMarks = grades.filter(({ from }) => from > 0);

/** Too little of it was checked for a grade. */
export const leastCoverage = 0.8;

export function toGrade(score: number | null, coverage: number | null): Grade | null {
  if (score === null || (coverage ?? 0) < leastCoverage) return null;
  return grades.find(({ from }) => score >= from)?.grade ?? "F";
}

export function toneOfScore(score: number | null): Tone {
  return score === null ? "unknown" : (grades.find(({ from }) => score >= from)?.tone ?? "critical");
}
