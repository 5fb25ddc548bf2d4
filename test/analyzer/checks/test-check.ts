// Tests a check with its cases: one case must pass, each finding must occur in one, and every sentence must be complete.

import { describe, expect, test } from "vitest";
import type { Check, FindingId, FindingWords } from "../../../src/analyzer/checks/check.ts";
import { type Fact, known, unknown, type Why } from "../../../src/analyzer/checks/fact.ts";
import type { FactName, Facts, KnownFacts } from "../../../src/analyzer/checks/facts.ts";
import { type Finding, type Outcome, runChecks } from "../../../src/analyzer/checks/run.ts";
import { placesOf } from "../../../src/analyzer/checks/words.ts";
import { findUnnamed } from "./unread-evidence.ts";

export type Case = {
  /** What the check does in this case, as the rest of a sentence. */
  readonly when: string;
  /** Known facts; a wanted one that is left out is unknown. */
  readonly facts: { readonly [Name in FactName]?: Facts[Name] };
  /** Facts that are requested and unknown. */
  readonly unknown?: Readonly<Partial<Record<FactName, Why>>>;
  /** The findings, in their order, with the title of the first where it matters; [] is a pass. */
  readonly finds?: readonly string[];
  readonly says?: string;
  readonly fix?: string;
  /** The reason of the first finding. */
  readonly why?: string;
  readonly ownedBy?: FindingId;
  /** Instead of finds. */
  readonly outcome?: "not-applicable" | "skipped";
};

export function testCheck(check: Check, cases: readonly Case[]): void {
  describe(check.id, () => {
    test.each(cases.map((one) => [one.when, one] as const))(`${check.id} %s`, (_, one) => {
      const outcome = run(check, one);
      if (one.outcome) expect(outcome.outcome, describeOutcome(outcome)).toBe(one.outcome);
      else expect(findingNames(outcome), describeOutcome(outcome)).toEqual(one.finds ?? []);
      const first = outcome.outcome === "found" ? outcome.findings[0] : undefined;
      if (one.says !== undefined) expect(first?.says ?? (outcome.outcome === "passed" && outcome.says)).toBe(one.says);
      expectAdvice(check, one, first);
    });

    test(`${check.id} has a case that passes, and one for each finding`, () => {
      const outcomes = cases.map((one) => run(check, one));
      if (check.passes !== "") expect(outcomes.some(({ outcome }) => outcome === "passed")).toBe(true);
      const reached = new Set(outcomes.flatMap((outcome) => findingNames(outcome) ?? []));
      expect([...reached].sort()).toEqual(Object.keys(check.findings).sort());
    });

    test(`${check.id} is skipped while a fact that it needs is unknown`, () => {
      const [full] = cases;
      for (const name of check.needs) {
        const outcome = run(check, { ...full, when: "", facts: full?.facts ?? {}, unknown: { [name]: "timeout" } });
        expect(outcome).toEqual({ check: check.id, outcome: "skipped", why: "timeout" });
      }
    });

    test(`${check.id} has a readable name for every value in its evidence`, () => {
      const found = cases.map((one) => run(check, one)).flatMap((one) => (one.outcome === "found" ? one.findings : []));
      // A name belongs in src/analyzer/words/evidence-words.ts, or among the unread keys.
      expect(found.flatMap(({ evidence }) => findUnnamed(evidence))).toEqual([]);
    });

    test(`${check.id} has complete sentences`, () => {
      for (const words of Object.values(check.findings)) expectGoodWords(words);
    });
  });
}

function expectAdvice(check: Check, { fix, why, ownedBy }: Case, first: Finding | undefined): void {
  if (fix !== undefined) expect(first?.fix).toBe(fix);
  if (why !== undefined) expect(check.findings[first?.id.split(".")[1] ?? ""]?.why ?? check.why).toBe(why);
  if (ownedBy !== undefined) expect(first?.ownedBy).toBe(ownedBy);
}

function run(check: Check, { facts, unknown: missing = {} }: Case): Outcome {
  const given: Partial<Record<FactName, Fact<unknown>>> = {};
  for (const name of [...check.needs, ...check.wants]) {
    // A message has no such fact, and a domain's check says what it is.
    if (name === "parked" && facts.parked === undefined && missing.parked === undefined) continue;
    const why = missing[name];
    const value = facts[name];
    given[name] = why === undefined && value !== undefined ? known(value) : unknown(why ?? "timeout");
  }
  const subject = check.runsOn.message
    ? ({ on: "message", kind: facts.kind?.kind ?? kindFor(check), facts: given as KnownFacts } as const)
    : ({ on: "domain", facts: given as Partial<KnownFacts> } as const);
  const [outcome] = runChecks([check], subject, (_, error) => {
    throw error;
  });
  if (!outcome) throw new Error("The check did not run.");
  return outcome;
}

function expectGoodWords({ says, fix, severity, cost }: FindingWords): void {
  expect(says).toMatch(/^.+[.!?)`"\]]$/);
  if (severity === "info" || severity === "good") expect(cost, says).toBe(0);
  if (severity === "good") expect(fix, says).toBeNull();
  for (const place of placesOf(`${says} ${fix ?? ""}`).needed) expect(place).toMatch(/^[a-zA-Z0-9]+$/);
}

function kindFor({ kinds }: Check) {
  return kinds === "all" ? "transactional" : (kinds[0] ?? "transactional");
}

function findingNames(outcome: Outcome): string[] | null {
  if (outcome.outcome === "found") return outcome.findings.map(({ id }) => id.slice(id.indexOf(".") + 1));
  return outcome.outcome === "passed" ? [] : null;
}

function describeOutcome(outcome: Outcome): string {
  return JSON.stringify(outcome);
}
