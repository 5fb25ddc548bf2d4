// Waits until the queue has analyzed a message, so that a rehearsal uses the same analysis as everything else.

export type AnalysisWatch = {
  /** Called for every test that is finished. Costs nothing without a rehearsal. */
  readonly note: (testId: string) => void;
  readonly follow: (testId: string) => FollowedAnalysis;
  /** Ends all waits, and later ones at once. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
};

type FollowedAnalysis = {
  /** Resolves when the test was noted since the last call, or in any case after that time. */
  readonly next: (withinMs: number) => Promise<void>;
  readonly leave: () => void;
};

export function createAnalysisWatch(): AnalysisWatch {
  /** A message belongs to one connection, so it has one follower. */
  const following = new Map<string, () => void>();
  let isClosed = false;
  return {
    note: (testId) => following.get(testId)?.(),
    follow: (testId) => {
      let isNoted = false;
      let wake = () => {};
      const noteIt = () => {
        isNoted = true;
        wake();
      };
      following.set(testId, noteIt);
      return {
        next: async (withinMs) => {
          if (!isNoted && !isClosed) {
            const woken = Promise.withResolvers<void>();
            const timer = setTimeout(woken.resolve, withinMs);
            wake = woken.resolve;
            await woken.promise;
            clearTimeout(timer);
          }
          isNoted = false;
        },
        leave: () => {
          if (following.get(testId) === noteIt) following.delete(testId);
        },
      };
    },
    close: () => {
      isClosed = true;
      for (const wake of [...following.values()]) wake();
    },
    isClosed: () => isClosed,
  };
}
