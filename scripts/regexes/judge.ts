// Whether a pattern is linear in the text, by two measures; both are counts of steps, so the answer is always the same.
// Attacked rather than proved, because a proof knows no lookarounds and takes minutes for one pattern of the bounce
// tables, whose repetitions it must write out.

import { type Attack, attacksOn, attackText } from "./attacks.ts";
import { createMatcher, type Matcher, type PatternCuts, TooManySteps } from "./matcher.ts";

export type Weakness = { readonly problem: string; readonly attack: Attack };

/** The second size is asked for those that fail at the first, which may be in step with a pattern's matches by chance. */
const sizes = [12, 60];
/** Growth is asked of the shape alone: a bound of 100 looks endless in a short text. A bound of thousands is none. */
const shape: PatternCuts = { mostRepeats: 3, endlessFrom: 500 };
const mostSteps = 2_000_000;

/** A bound inside a bound multiplies: thirty times thirty words are linear and still too dear. */
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

/** What is linear costs the same more at each of equal steps in size; what is quadratic by about `size`² more than that. */
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
