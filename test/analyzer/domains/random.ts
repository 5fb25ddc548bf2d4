// Chance that is the same in every run.

export type Random = {
  /** Below 1. */
  readonly next: () => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly shuffle: <T>(list: readonly T[]) => T[];
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T;
  const shuffle = <T>(list: readonly T[]) =>
    list
      .map((each) => ({ each, at: next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ each }) => each);
  return { next, pick, shuffle };
}
