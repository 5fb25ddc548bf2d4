// What there is to mend, in the order in which to mend it: a fault once, with all that follows from it.

import { isAboveInfo, type JudgedFinding, type Judgment } from "../reports/judgment.ts";

export type Fault = {
  readonly finding: JudgedFinding;
  /** In the order of the list. */
  readonly number: number;
  /** What mending it gives after all that stand before it. */
  readonly gain: number;
  /** What follows from it, and goes away with it. */
  readonly consequences: readonly JudgedFinding[];
};

/** In the order of the plan; then what would raise nothing. What follows from another stands below it. */
export function toFaults({ findings, plan, score }: Judgment): Fault[] {
  const stepOf = ({ id }: JudgedFinding) => {
    const step = plan.findIndex(({ finding }) => finding === id);
    return step < 0 ? plan.length : step;
  };
  return toHeads(findings)
    .sort((left, right) => stepOf(left) - stepOf(right))
    .map((finding, index) => {
      const step = stepOf(finding);
      const before = plan[step - 1]?.composite ?? score.composite ?? 0;
      const after = plan[step]?.composite;
      return {
        finding,
        number: index + 1,
        gain: after === undefined ? 0 : after - before,
        consequences: consequencesOf(finding, findings),
      };
    });
}

/** What follows from no other fault here; of a circle, its first. */
function toHeads(findings: readonly JudgedFinding[]): JudgedFinding[] {
  const faults = findings.filter(isAboveInfo);
  const ids = new Set(faults.map(({ id }) => id));
  const causes = faults.filter(({ ownedBy }) => ownedBy === null || !ids.has(ownedBy));
  const heads: JudgedFinding[] = [];
  const told = new Set<JudgedFinding>();
  for (const fault of [...causes, ...faults]) {
    if (told.has(fault)) continue;
    heads.push(fault);
    for (const one of [fault, ...consequencesOf(fault, findings)]) told.add(one);
  }
  return heads;
}

/** What follows from it, what follows from that, and so on. */
function consequencesOf(cause: JudgedFinding, findings: readonly JudgedFinding[]): JudgedFinding[] {
  const found = [cause];
  for (const { id } of found)
    found.push(...findings.filter((one) => one.ownedBy === id && !found.includes(one)));
  return found.slice(1);
}
