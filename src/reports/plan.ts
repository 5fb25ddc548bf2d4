// What mending would give: each finding alone, and one after the other.

import type { FindingId } from "../checks/check.ts";
import { round, type Score, type Scorer } from "./score.ts";

/** What mending each finding alone would give; what is not named gives nothing. */
export function toGains({ now, without, faults }: Scorer): ReadonlyMap<FindingId, number> {
  const composite = now.composite ?? 0;
  return new Map(
    faults.map((id) => [id, round((without(new Set([id])).composite ?? composite) - composite)]),
  );
}

export type Step = { readonly finding: FindingId; readonly composite: number };

/** What to mend first: each step is the one that gives most after those before it. */
export function toPlan(scorer: Scorer): Step[] {
  const steps: Step[] = [];
  const mended = new Set<FindingId>();
  let score = scorer.now;
  for (const _ of scorer.faults) {
    const next = bestStep(scorer, mended, score);
    if (next === null) break;
    mended.add(next.id);
    score = next.score;
    steps.push({ finding: next.id, composite: score.composite ?? 0 });
  }
  return steps;
}

type Candidate = { readonly id: FindingId; readonly score: Score };

/** Null when nothing that is left would raise anything; what a ceiling hides still counts. */
function bestStep(scorer: Scorer, mended: ReadonlySet<FindingId>, now: Score): Candidate | null {
  let best: Candidate | null = null;
  for (const id of scorer.faults) {
    if (mended.has(id)) continue;
    const score = scorer.without(new Set([...mended, id]));
    if (isBetter(score, best?.score ?? now)) best = { id, score };
  }
  return best;
}

function isBetter(score: Score, best: Score): boolean {
  const difference = (score.composite ?? 0) - (best.composite ?? 0);
  return difference > 0 || (difference === 0 && (score.mean ?? 0) > (best.mean ?? 0));
}
