// How much of what a prediction rests on is known.

import type { KnownFacts } from "../checks/facts.ts";
import type { Outcome } from "../checks/run.ts";
import { type Provider, providers } from "./provider.ts";
import { credits, faults, type Points, policies } from "./weights-table.ts";

type Row = {
  readonly about: string;
  readonly points: Points;
  readonly facts: readonly (keyof KnownFacts)[];
  readonly checks: readonly string[];
};

const rows: readonly Row[] = [
  ...faults.map(({ findings, ...row }) => ({
    ...row,
    checks: [...new Set(findings.map((id) => id.slice(0, id.indexOf("."))))],
  })),
  ...[...policies, ...credits].map((row) => ({ ...row, checks: [] })),
];

/** What could not be judged. A question that does not arise is no gap. */
export function findGaps(outcomes: readonly Outcome[], facts: Partial<KnownFacts>): readonly Row[] {
  const skipped = new Set<string>();
  for (const { check, outcome } of outcomes) if (outcome === "skipped") skipped.add(check);
  return rows.filter(
    (row) =>
      row.facts.some((name) => facts[name]?.known === false) ||
      (skipped.size > 0 && row.checks.some((check) => skipped.has(check))),
  );
}

export type Knowledge = {
  /** By weight, from 0 to 1. */
  readonly share: number;
  /** What is not known, each once. */
  readonly missing: readonly string[];
};

export function toKnowledge(gaps: readonly Row[], provider: Provider): Knowledge {
  const missing = gaps.filter(({ points }) => points[provider] !== 0);
  return {
    share: 1 - weigh(missing, provider) / wholes[provider],
    missing: [...new Set(missing.map(({ about }) => about))],
  };
}

function weigh(some: readonly Row[], provider: Provider): number {
  return some.reduce((sum, { points }) => sum + Math.abs(points[provider]), 0);
}

const wholes = Object.fromEntries(providers.map((one) => [one, weigh(rows, one)])) as Record<
  Provider,
  number
>;
