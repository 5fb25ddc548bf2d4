// When a mailbox is looked at next: pauses that can be ended, and the rounds.

const hurriedMs = 3_000;
const unhurriedMs = 60_000;

export type RoundClock = {
  readonly untilRound: (signal: AbortSignal) => Promise<void>;
  readonly hurry: (until: number) => void;
};

/** Every few seconds while somebody waits, else every minute. */
export function createRoundClock(now: () => number, chance: () => number): RoundClock {
  const pause = createPause();
  let hurriedUntil = 0;
  return {
    untilRound: async (signal) => {
      if (signal.aborted) return;
      signal.addEventListener("abort", pause.end, { once: true });
      await pause.wait(now() < hurriedUntil ? hurriedMs : unhurriedMs * (0.75 + chance() / 4));
      signal.removeEventListener("abort", pause.end);
    },
    hurry: (until) => {
      hurriedUntil = Math.max(hurriedUntil, until);
      pause.end();
    },
  };
}

export type Pause = {
  /** Null: until it is ended. */
  readonly wait: (ms: number | null) => Promise<void>;
  readonly end: () => void;
};

/** One who waits at a time; nothing is left behind of a wait that is over. */
export function createPause(): Pause {
  let end = () => {};
  return {
    wait: async (ms) => {
      const over = Promise.withResolvers<void>();
      end = over.resolve;
      const timer = ms === null ? undefined : setTimeout(over.resolve, ms);
      await over.promise;
      clearTimeout(timer);
    },
    end: () => end(),
  };
}
