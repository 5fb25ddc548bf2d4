// Decides whether a pattern is linear in the text, by two measures. Both count steps, so the result is deterministic.
// It attacks instead of proving, because proofs don't support lookarounds and take minutes for one pattern of the
// bounce tables, whose repetitions they must expand.

import { type Attack, attacksOn, attackText } from "./attacks.ts";
import { createMatcher, type Matcher, type PatternCuts, TooManySteps } from "./matcher.ts";

export type Weakness = { readonly problem: string; readonly attack: Attack };

/** The second size is for patterns that fail at the first, which may coincide with their matches by chance. */
const sizes = [12, 60];
/**
 * Growth depends only on the shape: a bound of 100 looks endless in a short text. A bound of thousands counts as none.
 */
const shape: PatternCuts = { mostRepeats: 3, endlessFrom: 500 };
const mostSteps = 2_000_000;

/** Nested bounds multiply: thirty times thirty words are linear but still too expensive. */
const costTextLength = 200;
const mostStepsPerCharacter = 1_000;

export function weaknessOf(regex: RegExp): Weakness | undefined {
  return growthOf(regex) ?? costOf(regex);
}

function growthOf(regex: RegExp): Weakness | undefined {
  const matcher = createMatcher(regex, shape);
  const attack = attacksOn(regex, shape.endlessFrom).find((candidate) =>
    sizes.every((size) => grows(matcher, candidate, size)),
  );
  return attack && { problem: "grows faster than its text", attack };
}

/** Linear cost grows by the same amount at each of equal steps in size. Quadratic cost grows by about `size`² more. */
function grows(matcher: Matcher, attack: Attack, size: number): boolean {
  const [once = 0, twice = 0, thrice = 0] = [size, 2 * size, 3 * size].map((times) =>
    stepsOf(matcher, attackText(attack, times), mostSteps),
  );
  return thrice >= mostSteps || thrice - 2 * twice + once > size ** 2 / 4;
}

function costOf(regex: RegExp): Weakness | undefined {
  const matcher = createMatcher(regex);
  const attack = attacksOn(regex, shape.mostRepeats + 1).find((candidate) => {
    if (candidate.end === "") return false;
    const text = attackText(candidate, Math.ceil(costTextLength / candidate.pump.length));
    const limit = text.length * mostStepsPerCharacter;
    return stepsOf(matcher, text, limit) >= limit;
  });
  return attack && { problem: `costs more than ${mostStepsPerCharacter} steps a character`, attack };
}

function stepsOf(matcher: Matcher, text: string, limit: number): number {
  try {
    return matcher.countSteps(text, limit);
  } catch (error) {
    if (error instanceof TooManySteps) return limit;
    throw error;
  }
}
