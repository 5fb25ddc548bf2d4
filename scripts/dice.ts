// Reproducible randomness: the same seed gives the same numbers, so that a fuzzer's finding can be repeated.

export type Dice = (sides: number) => number;

export function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
