// Findings, facts and words → the log-odds of spam, each part with a reason.

import type { KnownFacts } from "../checks/facts.ts";
import type { Finding } from "../checks/run.ts";
import type { Provider, Reason } from "./provider.ts";
import { signs } from "./signs.ts";
import { readText, type TextVerdict } from "./text-model.ts";
import { base, credits, type Fault, faults, policies, type SignWeight, words } from "./weights-table.ts";

export type Spam = { readonly probability: number; readonly reasons: readonly Reason[] };

type WeightedReason = Reason & { readonly points: number; readonly cause: string };

/** The evidence that counts, for all providers. */
export type SpamEvidence = {
  readonly faults: readonly { readonly row: Fault; readonly finding: Finding }[];
  readonly signed: readonly SignWeight[];
  readonly text: TextVerdict | null;
};

export function findHeld(findings: readonly Finding[], facts: Partial<KnownFacts>): SpamEvidence {
  const byId = new Map<string, Finding>();
  for (const finding of findings) if (counting.has(finding.id) && !byId.has(finding.id)) byId.set(finding.id, finding);
  return {
    faults: (byId.size === 0 ? [] : faults).flatMap((row) => {
      const id = row.findings.find((one) => byId.has(one));
      const finding = id && byId.get(id);
      return finding ? [{ row, finding }] : [];
    }),
    signed: allSigned.filter(({ sign }) => signs[sign](facts)),
    text: readText(facts),
  };
}

const counting: ReadonlySet<string> = new Set(faults.flatMap((row) => row.findings));
const allSigned = [...policies, ...credits];

export function weighSpam(held: SpamEvidence, provider: Provider): Spam {
  const heaviest = new Map<string, WeightedReason>();
  for (const counted of [
    ...held.faults.map(({ row, finding }) => countFault(row, finding, provider)),
    ...held.signed.map((row) => countSigned(row, provider)),
    ...(held.text ? [countText(held.text, provider)] : []),
  ]) {
    const alike = heaviest.get(counted.cause);
    if (counted.points !== 0 && (alike?.points ?? 0) < Math.abs(counted.points)) heaviest.set(counted.cause, counted);
  }
  const reasons = [...heaviest.values()];
  const logOdds = reasons.reduce((sum, { points }) => sum + points, base);
  return { probability: 1 / (1 + Math.exp(-logOdds)), reasons: reasons.map(({ cause: _, ...reason }) => reason) };
}

function countFault(row: Fault, finding: Finding, provider: Provider): WeightedReason {
  const { says, id, fix } = finding;
  const points = row.points[provider] * timesOf(row, finding);
  return { text: says, points: Math.round(points * 100) / 100, finding: id, change: fix, cause: row.cause };
}

function timesOf({ each }: Fault, { evidence }: Finding): number {
  const list = each && evidence[each.list];
  return each && Array.isArray(list) ? Math.min(each.atMost, list.length) : 1;
}

function countSigned({ points, says, change, cause }: SignWeight, provider: Provider): WeightedReason {
  return { text: says, points: points[provider], finding: null, change, cause };
}

/** Smaller weights count, but their words are not quoted. */
const leastTold = 0.2;

function countText({ points, words: drove }: TextVerdict, provider: Provider): WeightedReason {
  const counted = Math.round(points * words.points[provider] * 100) / 100;
  const of = points > 0 ? "spam" : "wanted mail";
  // Hundreds of common words count in a message's favor, so quoting five of them explains nothing.
  const quoted = drove.length > 0 && counted >= leastTold ? `: ${drove.join(", ")}` : "";
  const text = `Words typical of ${of}${quoted}.`;
  return { text, points: counted, finding: null, change: counted > 1 ? lessLikeSpam : null, cause: "words" };
}

const lessLikeSpam = "Use plainer words. The word model understands only English.";
