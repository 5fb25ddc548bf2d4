// Finds the shift of the spam log-odds that would have fitted the observations best. It is only suggested: a user sets
// it. A message that was seen was not rejected, so the odds are taken among delivered mail. A shift that was active for
// a prediction is removed first, so every suggestion starts from the published weights.

import { needed, type Pair } from "./calibration.ts";
import { maxShift, readWeightsName, toHundredths } from "./shifts.ts";

/** One message for the fit. */
export type SpamSeen = {
  /** By the published weights, without a shift. */
  readonly logOdds: number;
  readonly isSpam: boolean;
};

type Suggestion = {
  readonly shift: number;
  /** Number of observations behind it. */
  readonly observations: number;
  /**
   * Brier score of spam: with the current shift, and with the shift that all other messages suggest (leave-one-out).
   */
  readonly brier: { readonly before: number; readonly after: number };
};

export type Suggested =
  | { readonly suggestion: Suggestion; readonly why: null }
  | { readonly suggestion: null; readonly why: string };

/** The strength of the prior: a provider's shift is expected to be about 1 off, in either direction. */
const ridge = 1;
/** Odds are stored in thousandths, so a stored 0 or 1 was rounded. */
const least = 0.0005;

export type WeightedPair = Pair & {
  /** In the format of toWeightsName. */
  readonly weights: string;
};

/** Only predictions with these weights count, because errors of other weights say nothing about them. */
export function toSpamSeen(pairs: readonly WeightedPair[], weightsVersion: string): SpamSeen[] {
  return pairs.flatMap(({ odds, observed, weights }) => {
    const { version, shift } = readWeightsName(weights);
    const share = odds.spam / Math.max(1 - odds.rejected, least);
    const held = Math.min(1 - least, Math.max(least, share));
    const logOdds = Math.log(held / (1 - held)) - shift;
    return version === weightsVersion ? [{ logOdds, isSpam: observed === "spam" }] : [];
  });
}

/** `inForce`: the current shift, or 0. */
export function suggestShift(seen: readonly SpamSeen[], inForce: number): Suggested {
  const spam = seen.filter(({ isSpam }) => isSpam).length;
  if (seen.length < needed)
    return none(
      `Not enough data: ${seen.length} of ${needed} observations predicted with the current weights.`,
    );
  if (spam === 0 || spam === seen.length)
    return none(
      `All ${seen.length} observations were ${spam === 0 ? "outside" : "in"} the spam folder. Observations both in and outside spam are needed.`,
    );
  const fitted = fitShift(seen);
  const shift = toHundredths(fitted);
  if (shift === toHundredths(inForce)) return none("The current shift already fits best.");
  const others = leaveOneOut(seen, fitted);
  const before = brierOf(seen, () => inForce);
  const after = brierOf(seen, (at) => others[at] ?? 0);
  if (after >= before) return none("No shift would have been more accurate than the current one.");
  return { suggestion: { shift, observations: seen.length, brier: { before, after } }, why: null };
}

function none(why: string): Suggested {
  return { suggestion: null, why };
}

/** Bisection steps. The last step is far below a hundredth. */
const halvings = 40;

/** Finds the minimum of a convex function, where the slope changes its sign. */
export function fitShift(seen: readonly SpamSeen[]): number {
  let [low, high] = [-maxShift, maxShift];
  for (let step = 0; step < halvings; step++) {
    const middle = (low + high) / 2;
    if (slopeAt(seen, middle) > 0) high = middle;
    else low = middle;
  }
  return toBounded((low + high) / 2);
}

/** The fit without each message: one Newton step from the full fit, with an error of at most about 1/n². */
export function leaveOneOut(seen: readonly SpamSeen[], fitted: number): number[] {
  const slope = slopeAt(seen, fitted);
  const bend = seen.reduce((sum, one) => sum + bendOf(one, fitted), ridge);
  return seen.map((one) => toBounded(fitted - (slope - slopeOf(one, fitted)) / (bend - bendOf(one, fitted))));
}

function slopeAt(seen: readonly SpamSeen[], shift: number): number {
  return seen.reduce((sum, one) => sum + slopeOf(one, shift), ridge * shift);
}

/** Derivatives of the log loss of one message. */
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
