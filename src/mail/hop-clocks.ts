// Which clocks on a message's path are wrong, and how long it truly took between those that are right. A fast clock
// would otherwise look like a wait before it, and like a journey back in time behind it.
// The clocks taken for right are the longest run of stamps that never goes back and ends with our own arrival, which
// alone is certain; the others are wrong.

export type HopTime = {
  /** Since the hop before it whose clock is right; null for the first of them, and where the clock is wrong or silent. */
  readonly delayMs: number | null;
  /** How far the clock is off at least: ahead when positive. */
  readonly skewMs: number;
};

/** Clocks differ by seconds, and stamps are made at the beginning or the end of a hand-over. */
const toleranceMs = 60_000;

/** Oldest first; null for a hop that bears no time. `arrivedAt`: no stamp can be later. */
export function judgeHopTimes(stamps: readonly (number | null)[], arrivedAt: number): HopTime[] {
  const right = findRightClocks(stamps, arrivedAt);
  let before: number | null = null;
  return stamps.map((at, index) => {
    if (at === null) return { delayMs: null, skewMs: 0 };
    if (!right.has(index)) {
      const after = nextRight(stamps, right, index) ?? arrivedAt;
      return { delayMs: null, skewMs: skewOf(at, before, after) };
    }
    const delayMs = before === null ? null : Math.max(0, at - before);
    before = before === null ? at : Math.max(before, at);
    return { delayMs, skewMs: 0 };
  });
}

function skewOf(at: number, before: number | null, after: number): number {
  if (at > after) return at - after;
  return before !== null && at < before ? at - before : 0;
}

function nextRight(stamps: readonly (number | null)[], right: ReadonlySet<number>, index: number) {
  return stamps.find((_, candidate) => candidate > index && right.has(candidate));
}

/** Of several runs of one length that which keeps nearer to us. Quadratic: hops are bounded. */
function findRightClocks(stamps: readonly (number | null)[], arrivedAt: number): ReadonlySet<number> {
  const all = [...stamps, arrivedAt];
  const lengths: number[] = [];
  const previous: number[] = [];
  for (const [index, at] of all.entries()) {
    lengths[index] = 1;
    previous[index] = -1;
    for (let earlier = index - 1; at !== null && earlier >= 0; earlier--) {
      const earlierAt = all[earlier] ?? Number.POSITIVE_INFINITY;
      const length = (lengths[earlier] ?? 0) + 1;
      if (earlierAt > at + toleranceMs || length <= (lengths[index] ?? 0)) continue;
      lengths[index] = length;
      previous[index] = earlier;
    }
  }
  const right = new Set<number>();
  for (let at = previous[stamps.length] ?? -1; at >= 0; at = previous[at] ?? -1) right.add(at);
  return right;
}
