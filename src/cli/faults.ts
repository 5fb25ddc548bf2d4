// What there is to mend, in the order in which to mend it: a fault once, with all that follows from it.

import { toCapWords } from "../api/cap-words.ts";
import type { JudgedFinding, Judgment } from "../reports/judgment.ts";
import { issuesOf, stepsOf } from "../reports/plan.ts";

export type Fault = {
  readonly finding: JudgedFinding;
  /** In the order of the list. */
  readonly number: number;
  /** That it holds the score, with how many others, and what fixing all of them unlocks; null where it does not. */
  readonly capWords: string | null;
  /** What follows from it, and goes away with it. */
  readonly consequences: readonly JudgedFinding[];
};

export function toFaults(judgment: Judgment): Fault[] {
  const steps = new Map(stepsOf(judgment).map((step) => [step.finding, step]));
  const limit = judgment.score.limit?.value ?? null;
  return issuesOf(judgment).map((finding, index) => {
    const step = steps.get(finding.id);
    return {
      finding,
      number: index + 1,
      capWords: step ? toCapWords(step, limit) : null,
      consequences: consequencesOf(finding, judgment.findings),
    };
  });
}

/** What follows from it, what follows from that, and so on. */
function consequencesOf(cause: JudgedFinding, findings: readonly JudgedFinding[]): JudgedFinding[] {
  const found = [cause];
  for (const { id } of found)
    found.push(...findings.filter((one) => one.ownedBy === id && !found.includes(one)));
  return found.slice(1);
}
