// Findings, signs and words → the log-odds of spam, each part with a reason. The same for all providers: what differs
// between them is not in the message.

import { ownWordsOf } from "../checks/content/own-words.ts";
import { unknown } from "../checks/fact.ts";
import type { KnownFacts } from "../checks/facts.ts";
import type { Finding } from "../checks/run.ts";
import type { Reason } from "./provider.ts";
import { findSigns } from "./signs.ts";
import { readText, type TextVerdict } from "./text-model.ts";
import { maxText } from "./text-words.ts";
import { base, type Fault, faults, type SignWeight, signWeights } from "./weights-table.ts";

export type Spam = {
  readonly probability: number;
  /** The heaviest first. */
  readonly reasons: readonly Reason[];
};

type WeightedReason = Reason & { readonly points: number; readonly cause: string };

export type SpamEvidence = {
  readonly faults: readonly { readonly row: Fault; readonly finding: Finding }[];
  readonly signed: readonly SignWeight[];
  readonly text: TextVerdict | null;
};

export function findHeld(findings: readonly Finding[], facts: Partial<KnownFacts>): SpamEvidence {
  const byId = new Map<string, Finding>();
  for (const finding of findings) if (counting.has(finding.id) && !byId.has(finding.id)) byId.set(finding.id, finding);
  const text = openingOf(facts);
  const signs = findSigns(facts, text);
  return {
    faults: (byId.size === 0 ? [] : faults).flatMap((row) => {
      const id = row.findings.find((one) => byId.has(one));
      const finding = id && byId.get(id);
      return finding ? [{ row, finding }] : [];
    }),
    signed: signWeights.filter(({ sign }) => signs.has(sign)),
    text: facts.message?.known ? readText(facts.message.value.subject ?? "", text) : null,
  };
}

const counting: ReadonlySet<string> = new Set(faults.flatMap((row) => row.findings));

export function openingOf({ message, html }: Partial<KnownFacts>): string {
  if (!message?.known) return "";
  const own = ownWordsOf(message.value, html ?? unknown("off"));
  return (own.known ? own.value : (message.value.text?.text ?? "")).slice(0, maxText);
}

/** From natural log-odds. */
export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

export function weighSpam({ faults: held, signed, text }: SpamEvidence): Spam {
  const heaviest = new Map<string, WeightedReason>();
  for (const counted of [
    ...held.map(countFault),
    ...signed.map(({ says, points, change, cause }) => ({ text: says, points, finding: null, change, cause })),
    ...(text ? [countText(text)] : []),
  ]) {
    const alike = heaviest.get(counted.cause);
    if (counted.points !== 0 && (alike?.points ?? 0) < Math.abs(counted.points)) heaviest.set(counted.cause, counted);
  }
  const reasons = [...heaviest.values()].sort((left, right) => Math.abs(right.points) - Math.abs(left.points));
  const logOdds = reasons.reduce((sum, { points }) => sum + points, base);
  return { probability: toProbability(logOdds), reasons: reasons.map(({ cause: _, ...reason }) => reason) };
}

function countFault({ row, finding }: SpamEvidence["faults"][number]): WeightedReason {
  const { says, id, fix } = finding;
  const points = Math.round(row.points * timesOf(row, finding) * 100) / 100;
  return { text: says, points, finding: id, change: fix, cause: row.cause };
}

function timesOf({ each }: Fault, { evidence }: Finding): number {
  const list = each && evidence[each.list];
  return each && Array.isArray(list) ? Math.min(each.atMost, list.length) : 1;
}

function countText({ points }: TextVerdict): WeightedReason {
  const text = `The words are typical of ${points > 0 ? "spam" : "wanted mail"}.`;
  return { text, points, finding: null, change: points > 1 ? "Use plainer words." : null, cause: "words" };
}
