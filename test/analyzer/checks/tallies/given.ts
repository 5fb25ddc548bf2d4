// One provider rule, what it is given, and how it stands then.

import type { FindingId } from "../../../../src/analyzer/checks/check.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import type { KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { checks } from "../../../../src/analyzer/checks/list.ts";
import type { Finding, Outcome } from "../../../../src/analyzer/checks/run.ts";
import { ruleLists } from "../../../../src/analyzer/checks/tallies/list.ts";
import { type RuleResult, toTallies } from "../../../../src/analyzer/checks/tally.ts";
import { kindOf } from "../authentication/spf-facts.ts";

export const bulk = kindOf({ kind: "bulk" });
export const anySender = kindOf();

export type Given = {
  readonly kind?: KindFact;
  readonly facts?: Partial<KnownFacts>;
  readonly outcomes?: readonly Outcome[];
};

export function resultOf(rule: string, { kind = bulk, facts = {}, outcomes = [] }: Given): RuleResult {
  const tallies = toTallies(ruleLists, outcomes, kind, facts);
  const result = tallies.flatMap(({ items }) => items).find((item) => item.rule === rule);
  if (!result) throw new Error(`${rule} is not asked of ${kind.kind} mail.`);
  return result;
}

export const standingOf = (rule: string, given: Given) => resultOf(rule, given).standing;

export function found(id: FindingId): Outcome {
  const [check = "", name = ""] = id.split(".");
  const words = checks.find((one) => one.id === check)?.findings[name];
  if (!words) throw new Error(id);
  const { severity, cost, title, owner, gates = [] } = words;
  const shared = { subject: null, ownedBy: null, mendedBy: [], evidence: {}, fix: null };
  const finding: Finding = { id, check, severity, cost, title, says: `${id} stands.`, owner, gates, ...shared };
  return { check, outcome: "found", findings: [finding], lacks: [] };
}

export const passed = (check: string): Outcome => ({ check, outcome: "passed", says: "All is well.", lacks: [] });
export const skipped = (check: string): Outcome => ({ check, outcome: "skipped", why: "timeout" });
export const notAsked = (check: string): Outcome => ({ check, outcome: "not-applicable", why: "Not asked." });
