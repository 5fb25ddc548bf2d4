// The reasons for a prediction: rules first, then the tab, then weighed evidence, then unknowns.

import type { KnownFacts } from "../checks/facts.ts";
import type { Outcome } from "../checks/run.ts";
import type { Gates } from "./gates.ts";
import type { Folder, Profile, Reason } from "./provider.ts";
import type { Spam } from "./spam.ts";
import type { TabOdds } from "./tab-marks.ts";
import { faults, signWeights } from "./weights-table.ts";

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
    ...toWeighed(folder, weighed),
    ...toRemarks(knowledge, profile),
  ];
}

/** A finding with a gate isn't repeated. For a rejected message, the rules explain everything. */
function toWeighed(folder: Folder, { gates, spam }: PlacementWeights): Reason[] {
  if (folder === "rejected") return [];
  const gated = new Set(gates.reasons.map(({ finding }) => finding));
  return spam.reasons.filter(({ finding }) => finding === null || !gated.has(finding)).slice(0, most.weighed);
}

/** Below this share of known evidence, the prediction is a guess. */
const leastShare = 0.05;

function toRemarks({ share, missing, unread }: Knowledge, { hidden }: Profile): Reason[] {
  const left = missing.length - most.missing;
  const more = left > 0 ? `, and ${left} more` : "";
  const gaps =
    share < leastShare
      ? ["Too little is known about this message, so this is a guess."]
      : missing.length > 0
        ? [`Unknown and not counted: ${missing.slice(0, most.missing).join(", ")}${more}.`]
        : [];
  const language = unread === null ? [] : [`The text is in ${unread}, which the word model doesn't read.`];
  const secret = `A message does not show ${hidden}. These unknowns may change the result.`;
  return [...gaps, ...language, secret].map((text) => ({ text, points: 0, finding: null, change: null }));
}

// How much of a prediction's evidence is known.

type Row = {
  readonly about: string;
  readonly points: number;
  readonly facts: readonly (keyof KnownFacts)[];
  readonly checks: readonly string[];
};

const rows: readonly Row[] = [
  ...faults.map(({ findings, ...row }) => ({
    ...row,
    checks: [...new Set(findings.map((id) => id.slice(0, id.indexOf("."))))],
  })),
  ...signWeights.map((row) => ({ ...row, checks: [] })),
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
  /** The language of the text, if the word model doesn't know it. */
  readonly unread: string | null;
};

export function toKnowledge(gaps: readonly Row[], unread: string | null): Knowledge {
  const share = Math.max(0, 1 - weigh(gaps) / whole);
  return { share, missing: [...new Set(gaps.map(({ about }) => about))], unread };
}

function weigh(some: readonly Row[]): number {
  return some.reduce((sum, { points }) => sum + Math.abs(points), 0);
}

/** Without the malware scan, which few servers have: its absence makes no prediction surer. */
const whole = weigh(rows.filter(({ facts }) => !facts.includes("malware")));
