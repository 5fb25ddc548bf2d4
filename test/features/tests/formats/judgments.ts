// Judgments by hand: what nobody but a test would find together.

import type { FindingId } from "../../../../src/analyzer/checks/check.ts";
import type { JudgedFinding, Judgment } from "../../../../src/analyzer/reports/judgment.ts";

export function finding(id: FindingId, changes: Partial<JudgedFinding> = {}): JudgedFinding {
  const [check = ""] = id.split(".");
  const { says = `The fault ${id}.`, fix = "Mend it." } = changes;
  return {
    id,
    check,
    area: "format",
    severity: "major",
    title: `Title ${id}`,
    says,
    fix,
    owner: "content",
    why: "It matters.",
    references: ["RFC 5322 §3.6.4", "Gmail sender rules"],
    cost: 10,
    gain: 3,
    gates: [],
    ownedBy: null,
    occurrences: [{ subject: null, says, fix, evidence: {} }],
    leftOut: 0,
    ...changes,
  };
}

export function judgment(changes: Partial<Judgment> = {}): Judgment {
  return {
    kind: null,
    findings: [],
    passes: [],
    skipped: [],
    notApplicable: [],
    partly: [],
    score: { composite: 100, mean: 100, coverage: 1, areas: [], limit: null },
    plan: [],
    placement: null,
    tallies: [],
    alternatives: [],
    ...changes,
  };
}

/** Moves a cursor, breaks a line, turns the direction, and is no Unicode text at all. */
export const hostile = 'a\u001b[31m\r\n\u202e\u0000\ud800\ufffe]]><b a="1">&amp;{0}[x](javascript:y)`';
