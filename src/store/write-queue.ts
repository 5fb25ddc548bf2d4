// Who waits for a flush, and with whom each shares it. Three wishes are weighed: nobody who waits for an answer waits
// long, many share a flush, and no flush holds the main thread for long.

import { setImmediate as nextRound } from "node:timers/promises";

export type Waiting = {
  /** What the flush will have to write, roughly. */
  readonly bytes: number;
  /** Nobody waits for it: it goes along with the next one for whom somebody does. */
  readonly isPatient: boolean;
};

export type WriteQueue<W extends Waiting> = {
  readonly add: (waiting: W) => void;
  /** Flushes all that wait, patient or not. */
  readonly drain: () => Promise<void>;
};

export type WriteQueueOptions<W extends Waiting> = {
  readonly maxTogether: number;
  readonly maxBytesTogether: number;
  /** Never rejects. */
  readonly flush: (batch: readonly W[]) => Promise<void>;
};

/** What a patient write waits when nobody comes. */
const patienceMs = 5;
/** A write alone never waits for others; this bounds what writes that come in company wait for one another. */
const longestGatheringMs = 0.5;

export function createWriteQueue<W extends Waiting>(options: WriteQueueOptions<W>): WriteQueue<W> {
  const { maxTogether, flush } = options;
  const queue: W[] = [];
  let flushing: Promise<void> | undefined;
  let patience: NodeJS.Timeout | undefined;
  let gatheringMs = 0;

  /** While others write too, for as long as the last flush took: that at most doubles the time of a write. */
  async function gather(): Promise<void> {
    const until = performance.now() + gatheringMs;
    do await nextRound();
    while (performance.now() < until && queue.length < maxTogether);
  }

  async function flushOnce(): Promise<void> {
    await gather();
    const batch = queue.splice(0, howMany(queue, options));
    const startedAt = performance.now();
    await flush(batch);
    gatheringMs = batch.length > 1 ? Math.min(performance.now() - startedAt, longestGatheringMs) : 0;
  }

  async function flushUntil(isDone: () => boolean): Promise<void> {
    clearTimeout(patience);
    patience = undefined;
    do await flushOnce();
    while (!isDone());
    flushing = undefined;
    if (queue.length > 0) patience ??= setTimeout(begin, patienceMs);
  }

  const nobodyWaits = () => queue.every(({ isPatient }) => isPatient);

  function begin(): void {
    flushing ??= flushUntil(nobodyWaits);
  }

  return {
    add: (waiting) => {
      queue.push(waiting);
      if (!waiting.isPatient) begin();
      else if (flushing === undefined) patience ??= setTimeout(begin, patienceMs);
    },
    drain: async () => {
      await flushing;
      if (queue.length === 0) return;
      flushing ??= flushUntil(() => queue.length === 0);
      await flushing;
    },
  };
}

/** The first goes whatever its size. */
function howMany(queue: readonly Waiting[], bounds: WriteQueueOptions<never>): number {
  let bytes = 0;
  const tooMany = queue.findIndex((waiting, index) => {
    bytes += waiting.bytes;
    return index >= bounds.maxTogether || (index > 0 && bytes > bounds.maxBytesTogether);
  });
  return tooMany < 0 ? queue.length : tooMany;
}
