// The reasons for a prediction: rules first, then the tab, then weighed evidence, then unknowns.

import type { KnownFacts } from "../checks/facts.ts";
import type { Outcome } from "../checks/run.ts";
import type { Gates } from "./gates.ts";
import { type Folder, type Profile, type Provider, providers, type Reason } from "./provider.ts";
import type { Spam } from "./spam.ts";
import type { TabOdds } from "./tab-marks.ts";
import { base, credits, faults, type Points, policies } from "./weights-table.ts";

export type PlacementWeights = {
  readonly gates: Gates;
  readonly spam: Spam;
  readonly tab: TabOdds | null;
  readonly knowledge: Knowledge;
};

/** Longer lists would not be read. The findings have the rest. */
export const most = { gates: 4, tab: 5, weighed: 5, missing: 6 } as const;

export function toReasons(folder: Folder, weighed: PlacementWeights, profile: Profile): Reason[] {
  const { gates, tab, knowledge } = weighed;
  const isDelivered = folder === "inbox" || folder === "promotions";
  return [
    ...gates.reasons.slice(0, most.gates),
    ...(isDelivered && tab ? tab.reasons.slice(0, most.tab) : []),
    ...toWeighed(folder, weighed, isDelivered ? [toBase(profile)] : []),
    ...toRemarks(knowledge, profile),
  ];
}

/** A finding with a gate isn't repeated. For a rejected message, the rules explain everything. */
function toWeighed(folder: Folder, { gates, spam }: PlacementWeights, first: readonly Reason[]): Reason[] {
  if (folder === "rejected") return [];
  const gated = new Set(gates.reasons.map(({ finding }) => finding));
  return [...first, ...spam.reasons]
    .filter(({ finding }) => finding === null || !gated.has(finding))
    .sort((left, right) => Math.abs(weightOf(right.points)) - Math.abs(weightOf(left.points)))
    .slice(0, most.weighed);
}

function weightOf(points: Reason["points"]): number {
  return points ?? 0;
}

function toBase({ name }: Profile): Reason {
  const share = Math.round(100 / (1 + Math.exp(-base)));
  const text = `${name} sends about ${share} of every 100 messages to spam (assumed starting point).`;
  return { text, points: base, finding: null, change: null };
}

/** Below this share of known evidence, the prediction is a guess. */
const leastShare = 0.05;

function toRemarks({ share, missing }: Knowledge, { hidden }: Profile): Reason[] {
  const left = missing.length - most.missing;
  const more = left > 0 ? `, and ${left} more` : "";
  const gaps =
    share < leastShare
      ? ["Too little is known about this message, so this is a guess."]
      : missing.length > 0
        ? [`Unknown and not counted: ${missing.slice(0, most.missing).join(", ")}${more}.`]
        : [];
  const secret = `A message does not show ${hidden}. These unknowns may change the result.`;
  return [...gaps, secret].map((text) => ({ text, points: 0, finding: null, change: null }));
}

// How much of a prediction's evidence is known.

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

/** Evidence that could not be judged. A check that does not apply is not a gap. */
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
  /** Unknown things, each listed once. */
  readonly missing: readonly string[];
};

export function toKnowledge(gaps: readonly Row[], provider: Provider): Knowledge {
  const missing = gaps.filter(({ points }) => points[provider] !== 0);
  return {
    share: Math.max(0, 1 - weigh(missing, provider) / wholes[provider]),
    missing: [...new Set(missing.map(({ about }) => about))],
  };
}

function weigh(some: readonly Row[], provider: Provider): number {
  return some.reduce((sum, { points }) => sum + Math.abs(points[provider]), 0);
}

/** Without the malware scan, which few servers have: its absence makes no prediction surer. */
const alwaysAsked = rows.filter(({ facts }) => !facts.includes("malware"));
const wholes = Object.fromEntries(providers.map((one) => [one, weigh(alwaysAsked, one)])) as Record<Provider, number>;
