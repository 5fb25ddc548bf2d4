// Chance that can be had again: the same seed throws the same numbers, so that what a fuzzer found can be met once more.

export type Dice = (sides: number) => number;

export function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
