// What a workspace learned from its own labeled mail: a line over the log-odds of spam (Platt scaling). Two numbers can't
// memorize a message, and the prior keeps them near "as it was" until there is enough mail.

import type { Folder, Placement, Prediction, Reason } from "./provider.ts";
import { type Spam, toProbability } from "./spam.ts";

export type Line = { readonly slope: number; readonly intercept: number };

/** As stored with the workspace and with each report that it changed. */
export type Learned = Line & {
  /** Messages that it was learned from. */
  readonly spam: number;
  readonly wanted: number;
  readonly brierBefore: number;
  readonly brierAfter: number;
  readonly at: number;
};

export const unlearned: Line = { slope: 1, intercept: 0 };
export const lineBounds = { slope: { min: 0.25, max: 3 }, intercept: { min: -4, max: 4 } } as const;

/** Without a line, the same value. */
export function withLearned(spam: Spam, learned: Learned | null): Spam {
  if (learned === null) return spam;
  const before = toLogOdds(spam.probability);
  const after = applyLine(before, learned);
  const points = Math.round((after - before) * 100) / 100;
  const reasons = [...spam.reasons, toReason(points, learned)];
  reasons.sort((left, right) => Math.abs(right.points ?? 0) - Math.abs(left.points ?? 0));
  return { probability: toProbability(after), reasons };
}

function toReason(points: number, learned: Learned): Reason {
  const does = points > 0 ? "raises" : points < 0 ? "lowers" : "does not change";
  return { text: `Your own mail ${does} this figure: ${toBasis(learned)}.`, points, finding: null, change: null };
}

function toBasis({ spam, wanted, at }: Pick<Learned, "spam" | "wanted" | "at">): string {
  return `learned from ${spam + wanted} messages on ${new Date(at).toISOString().slice(0, 10)}`;
}

function applyLine(logOdds: number, { slope, intercept }: Line): number {
  return slope * logOdds + intercept;
}

/** Never infinite. */
const surest = 1e-12;

function toLogOdds(probability: number): number {
  const bounded = Math.min(1 - surest, Math.max(surest, probability));
  return Math.log(bounded / (1 - bounded));
}

// The figure in a prediction that was made before. Its odds have three decimals.

const shown = 0.0005;

/** As stored, or as an API returns it. */
type Predicted = Pick<Prediction, "odds" | "folder"> & { readonly reasons: readonly Pick<Reason, "points">[] };

/** Null if a provider's rule decides, which no figure changes. `line`: what it was made with. */
export function toFigure({ odds, reasons }: Predicted, line: Line): number | null {
  if (reasons.some(({ points }) => points === null) || odds.rejected > 0) return null;
  return (toLogOdds(Math.min(1 - shown, Math.max(shown, odds.spam))) - line.intercept) / line.slope;
}

/** The filter that no provider's rules bind. */
export function toFigureOf({ predictions }: Placement): number | null {
  const found = predictions.find(({ provider }) => provider === "generic");
  return found ? toFigure(found, unlearned) : null;
}

/** Where a prediction would put the message with another line. */
export function placeAgain(predicted: Predicted, from: Line, to: Line): Folder {
  const figure = toFigure(predicted, from);
  if (figure === null) return predicted.folder;
  if (applyLine(figure, to) >= 0) return "spam";
  return predicted.odds.promotions > predicted.odds.inbox ? "promotions" : "inbox";
}

// Learning: penalized logistic regression, by Newton's method.

export type Labeled = { readonly logOdds: number; readonly isSpam: boolean };

/** As precise as some hundred ordinary messages: twenty change little, four hundred much. */
const priorPrecision = 10;
const rounds = 50;
/** Newton's method may overshoot where all messages are certain. */
const longestStep = 0.5;

export function learnLine(labeled: readonly Labeled[]): Line {
  let line = unlearned;
  for (let round = 0; round < rounds; round++) line = improve(line, labeled);
  return { slope: round4(line.slope), intercept: round4(line.intercept) };
}

function improve({ slope, intercept }: Line, labeled: readonly Labeled[]): Line {
  const pull = { slope: priorPrecision * (slope - unlearned.slope), intercept: priorPrecision * intercept };
  const bend = { slope: priorPrecision, both: 0, intercept: priorPrecision };
  for (const { logOdds, isSpam } of labeled) {
    const said = toProbability(applyLine(logOdds, { slope, intercept }));
    const miss = said - Number(isSpam);
    const weight = said * (1 - said);
    pull.slope += miss * logOdds;
    pull.intercept += miss;
    bend.slope += weight * logOdds * logOdds;
    bend.both += weight * logOdds;
    bend.intercept += weight;
  }
  const size = bend.slope * bend.intercept - bend.both * bend.both;
  const toStep = (step: number) => clamp(step / size, { min: -longestStep, max: longestStep });
  return {
    slope: clamp(slope - toStep(pull.slope * bend.intercept - pull.intercept * bend.both), lineBounds.slope),
    intercept: clamp(intercept - toStep(pull.intercept * bend.slope - pull.slope * bend.both), lineBounds.intercept),
  };
}

function clamp(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, value));
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

export type Accuracy = {
  /** The mean squared distance between the figure and the label: 0 is perfect, 0.25 a coin toss. */
  readonly brier: number;
  readonly spamInInbox: number;
  readonly wantedInSpam: number;
};

const folds = 10;

/** `after`: each message is judged by a line that was learned without it. */
export function measureLine(labeled: readonly Labeled[]): { readonly before: Accuracy; readonly after: Accuracy } {
  // Each fold has its share of both kinds, because mailboxes may alternate.
  const inKinds = [...labeled.filter(({ isSpam }) => isSpam), ...labeled.filter(({ isSpam }) => !isSpam)];
  const judged = Array.from({ length: folds }, (_, fold) => {
    const line = learnLine(inKinds.filter((_, index) => index % folds !== fold));
    const left = inKinds.filter((_, index) => index % folds === fold);
    return left.map((one) => ({ ...one, logOdds: applyLine(one.logOdds, line) }));
  });
  return { before: toAccuracy(labeled), after: toAccuracy(judged.flat()) };
}

function toAccuracy(labeled: readonly Labeled[]): Accuracy {
  const missed = labeled.map(({ logOdds, isSpam }) => (toProbability(logOdds) - Number(isSpam)) ** 2);
  return {
    brier: round4(missed.reduce((sum, one) => sum + one, 0) / labeled.length),
    spamInInbox: labeled.filter(({ logOdds, isSpam }) => isSpam && logOdds < 0).length,
    wantedInSpam: labeled.filter(({ logOdds, isSpam }) => !isSpam && logOdds >= 0).length,
  };
}
