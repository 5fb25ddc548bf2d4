// A flawed attempt never costs more than none: a text part, a policy or a key with flaws is not worse than leaving it
// out. The checks of one attempt together cost at most as many points as its absence.

import type { FindingId } from "../checks/check.ts";
import table from "./attempts.json" with { type: "json" };

export type Attempt = {
  readonly thing: string;
  readonly checks: readonly string[];
  /** What its absence costs, in points of the area. */
  readonly most: number;
  /**
   * Where security would suffer, fewer severities are bounded. A failing signature may cost more than none, and so may
   * an SPF record that anyone passes, because it helps spoofers.
   */
  readonly bounds: "all" | "major" | "minor";
};

const attempts = table as readonly Attempt[];

const bound: Readonly<Record<Attempt["bounds"], readonly string[]>> = {
  all: ["critical", "major", "minor", "info", "good"],
  major: ["major", "minor"],
  minor: ["minor"],
};

const byCheck = new Map(attempts.flatMap((attempt) => attempt.checks.map((check) => [check, attempt])));

/** The attempt that a check's finding belongs to, if findings of this severity are bounded. */
export function attemptOf(check: string, severity: string): Attempt | null {
  const attempt = byCheck.get(check);
  return attempt && bound[attempt.bounds].includes(severity) ? attempt : null;
}

/** Only the first fault of an attempt counts for a ceiling. All faults given have the same severity. */
export function oncePerAttempt<Fault extends { readonly id: FindingId; readonly check: string }>(
  faults: readonly Fault[],
): FindingId[] {
  const seen = new Set<string>();
  const counted: FindingId[] = [];
  for (const { id, check } of faults) {
    const attempt = byCheck.get(check);
    const key = attempt && attempt.bounds !== "minor" ? attempt.thing : id;
    if (seen.has(key)) continue;
    seen.add(key);
    counted.push(id);
  }
  return counted;
}
