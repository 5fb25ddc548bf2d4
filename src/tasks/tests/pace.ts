// How fast the backlog is worked off while mail comes in. Senders wait for their 250, nobody waits for the report of the
// thousandth message of a burst: while more comes than could be analysed anyway, the analyser rests most of the time, so
// that the burst is over sooner. But only for seconds: with who sends without end it has to keep up.

export type AnalysisPace = {
  readonly noteArrival: () => void;
  readonly noteAnalysed: () => void;
  readonly noteNothingWaits: () => void;
  /** Asked before more is begun: for how long nothing should be. */
  readonly restMs: () => number;
};

/** A turn of work, in messages: enough to tell a burst from a handful that came together. */
const turn = 64;
/** A burst: so many times more came in a turn than were analysed. */
const burst = 2;
/** Of a turn's time; and never so long that a report is late where the burst has ended meanwhile. */
const rest = 3;
const longestRestMs = 300;
/** All rests together, from when nothing waited until nothing waits again. */
const longestRestsMs = 5_000;

/** `clock`: milliseconds that only go forward. */
export function createAnalysisPace(clock: () => number): AnalysisPace {
  let rested = 0;
  let came = 0;
  let analysed = 0;
  let turnBegan = clock();
  let restUntil = 0;

  return {
    noteArrival: () => {
      came += 1;
    },
    noteAnalysed: () => {
      analysed += 1;
    },
    noteNothingWaits: () => {
      rested = 0;
    },
    restMs: () => {
      const now = clock();
      if (now < restUntil) return restUntil - now;
      if (restUntil > 0 || analysed >= turn) {
        const isBurst = restUntil === 0 && came >= burst * analysed;
        const restMs = isBurst
          ? Math.min(rest * (now - turnBegan), longestRestMs, longestRestsMs - rested)
          : 0;
        rested += restMs;
        restUntil = restMs > 0 ? now + restMs : 0;
        turnBegan = now;
        came = analysed = 0;
      }
      return Math.max(0, restUntil - now);
    },
  };
}
