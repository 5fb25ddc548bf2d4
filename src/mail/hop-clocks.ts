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

/**
 * Of several runs of one length the one without waits, because a wrong clock is likelier than a wait that nothing else
 * shows. Quadratic: hops are bounded.
 */
function findRightClocks(stamps: readonly (number | null)[], arrivedAt: number): ReadonlySet<number> {
  const all = [...stamps, arrivedAt];
  const runs: Run[] = [];
  for (const at of all) {
    const before = at === null ? [] : runs.filter((run) => run.at !== null && run.at <= at + toleranceMs);
    const best = before.reduce<Run | null>((one, other) => (isBetter(other, one) ? other : one), null);
    runs.push({ at, length: (best?.length ?? 0) + 1, before: best });
  }
  const right = new Set<number>();
  for (let run = runs.at(-1)?.before ?? null; run !== null; run = run.before) right.add(runs.indexOf(run));
  return right;
}

/** The longest run that ends with a stamp. */
type Run = { readonly at: number | null; readonly length: number; readonly before: Run | null };

function isBetter(run: Run, than: Run | null): boolean {
  if (than === null || run.length !== than.length) return run.length > (than?.length ?? 0);
  return (run.at ?? 0) >= (than.at ?? 0);
}
