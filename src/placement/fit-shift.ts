// Which shift of the log-odds of spam would have fitted best what seed mailboxes showed. Suggested, never set: a person
// sets it.
//
// A seen message was not refused, so that the odds of spam are taken among what is delivered; a shift that was in force
// when the message was predicted is taken out again, so that every suggestion counts from the published weights.

import { needed, type Pair } from "./calibration.ts";
import { maxShift, readWeightsName, toHundredths } from "./shifts.ts";

/** One message, for the fit. */
export type SpamSeen = {
  /** By the published weights. */
  readonly logOdds: number;
  readonly isSpam: boolean;
};

type Suggestion = {
  readonly shift: number;
  /** That it comes of. */
  readonly observations: number;
  /** Brier score of spam: with what is in force, and with the shift that all other messages suggest (leave one out). */
  readonly brier: { readonly before: number; readonly after: number };
};

export type Suggested =
  | { readonly suggestion: Suggestion; readonly why: null }
  | { readonly suggestion: null; readonly why: string };

/** As strong as if we had believed beforehand that a provider's shift is some 1 off, either way. */
const ridge = 1;
/** Odds are kept in thousandths: what was rounded to 0 or 1 was neither. */
const least = 0.0005;

export type WeightedPair = Pair & {
  /** As toWeightsName has it. */
  readonly weights: string;
};

/** Of these weights alone: what others were off by says nothing of them. */
export function toSpamSeen(pairs: readonly WeightedPair[], weightsVersion: string): SpamSeen[] {
  return pairs.flatMap(({ odds, observed, weights }) => {
    const { version, shift } = readWeightsName(weights);
    const share = odds.spam / Math.max(1 - odds.rejected, least);
    const held = Math.min(1 - least, Math.max(least, share));
    const logOdds = Math.log(held / (1 - held)) - shift;
    return version === weightsVersion ? [{ logOdds, isSpam: observed === "spam" }] : [];
  });
}

/** `inForce`: the shift that is set; 0 without one. */
export function suggestShift(seen: readonly SpamSeen[], inForce: number): Suggested {
  const spam = seen.filter(({ isSpam }) => isSpam).length;
  if (seen.length < needed)
    return none(
      `${seen.length} of the ${needed} observations that it takes, predicted with today's weights.`,
    );
  if (spam === 0 || spam === seen.length)
    return none(`All ${seen.length} were seen ${spam === 0 ? "outside" : "in"} spam: it takes some of both.`);
  const fitted = fitShift(seen);
  const shift = toHundredths(fitted);
  if (shift === toHundredths(inForce)) return none("What is in force is what they suggest.");
  const others = leaveOneOut(seen, fitted);
  const before = brierOf(seen, () => inForce);
  const after = brierOf(seen, (at) => others[at] ?? 0);
  if (after >= before) return none("No shift would have predicted them better than what is in force.");
  return { suggestion: { shift, observations: seen.length, brier: { before, after } }, why: null };
}

function none(why: string): Suggested {
  return { suggestion: null, why };
}

/** Halvings of the bounds: the last step is far below a hundredth. */
const halvings = 40;

/** The least of a convex function, found where its slope changes its sign. */
export function fitShift(seen: readonly SpamSeen[]): number {
  let [low, high] = [-maxShift, maxShift];
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (slopeAt(seen, middle) > 0) high = middle;
    else low = middle;
  }
  return toBounded((low + high) / 2);
}

/** What the fit would be without each of them: from where it is by all, one step of Newton's, off by the square of 1/n at most. */
export function leaveOneOut(seen: readonly SpamSeen[], fitted: number): number[] {
  const slope = slopeAt(seen, fitted);
  const bend = seen.reduce((sum, one) => sum + bendOf(one, fitted), ridge);
  return seen.map((one) => toBounded(fitted - (slope - slopeOf(one, fitted)) / (bend - bendOf(one, fitted))));
}

function slopeAt(seen: readonly SpamSeen[], shift: number): number {
  return seen.reduce((sum, one) => sum + slopeOf(one, shift), ridge * shift);
}

/** Of the log loss of one message. */
function slopeOf({ logOdds, isSpam }: SpamSeen, shift: number): number {
  return shareOf(logOdds + shift) - Number(isSpam);
}

function bendOf({ logOdds }: SpamSeen, shift: number): number {
  const share = shareOf(logOdds + shift);
  return share * (1 - share);
}

function brierOf(seen: readonly SpamSeen[], shiftAt: (at: number) => number): number {
  const sum = seen.reduce((sum, one, at) => sum + slopeOf(one, shiftAt(at)) ** 2, 0);
  return Math.round((sum / seen.length) * 10_000) / 10_000;
}

function shareOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

function toBounded(shift: number): number {
  return Math.min(maxShift, Math.max(-maxShift, shift));
}
