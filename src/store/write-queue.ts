// Who waits for a flush, and with whom each shares it. Three wishes are weighed: nobody who waits for an answer waits
// long, many share a flush, and no flush holds the main thread for long.

import { setImmediate as nextRound } from "node:timers/promises";

export type Waiting = {
  /** What the flush will have to write, roughly. */
  readonly bytes: number;
  /** Nobody waits for it: it goes along with others, and costs no flush of its own. */
  readonly isPatient: boolean;
};

export type WriteQueue<W extends Waiting> = {
  readonly add: (waiting: W) => void;
  /** Writes all that wait, patient or not. */
  readonly drain: () => Promise<void>;
};

export type WriteQueueOptions<W extends Waiting> = {
  readonly maxTogether: number;
  readonly maxBytesTogether: number;
  /** Never rejects. Without one for whom somebody waits it need not reach the disk. */
  readonly flush: (batch: readonly W[]) => Promise<void>;
};

/** What a patient write waits when nobody comes; and where such come in company, which costs them less together. */
const patienceMs = { alone: 5, inCompany: 20 };
/** Of the patient ones at once, where not as many others wait: whoever comes meanwhile waits for them. */
const alongAtOnce = 4;
/** A write alone never waits for others; this bounds what writes that come in company wait for one another. */
const longestGatheringMs = 0.5;

export function createWriteQueue<W extends Waiting>(options: WriteQueueOptions<W>): WriteQueue<W> {
  const { maxTogether, flush } = options;
  const queue: W[] = [];
  let flushing: Promise<void> | undefined;
  let patience: NodeJS.Timeout | undefined;
  let gatheringMs = 0;
  let patientLast = 0;

  /** While others write too, for as long as the last flush took: that at most doubles the time of a write. */
  async function gather(): Promise<void> {
    const until = performance.now() + gatheringMs;
    do await nextRound();
    while (performance.now() < until && queue.length < maxTogether);
  }

  /** In their order, but that nobody who waits stands behind many patient ones. */
  function takeBatch(): W[] {
    const waiting = queue.filter(({ isPatient }) => !isPatient).length;
    let along = Math.max(alongAtOnce, waiting);
    const picked = queue.filter(({ isPatient }) => !isPatient || along-- > 0);
    const batch = new Set(picked.slice(0, howMany(picked, options)));
    const rest = queue.filter((one) => !batch.has(one));
    queue.splice(0, queue.length, ...rest);
    return [...batch];
  }

  async function flushOnce(): Promise<void> {
    await gather();
    const batch = takeBatch();
    const startedAt = performance.now();
    await flush(batch);
    const waited = batch.filter(({ isPatient }) => !isPatient).length;
    patientLast = batch.length - waited;
    gatheringMs = waited > 1 ? Math.min(performance.now() - startedAt, longestGatheringMs) : 0;
  }

  async function flushUntil(isDone: () => boolean): Promise<void> {
    clearTimeout(patience);
    patience = undefined;
    do await flushOnce();
    while (!isDone());
    flushing = undefined;
    if (queue.length > 0) beginLater();
  }

  const nobodyWaits = () => queue.every(({ isPatient }) => isPatient);
  const nothingIsLeft = () => queue.length === 0;

  function begin(): void {
    flushing ??= flushUntil(nobodyWaits);
  }

  function beginLater(): void {
    patience ??= setTimeout(beginAll, patientLast > 1 ? patienceMs.inCompany : patienceMs.alone);
  }

  function beginAll(): void {
    flushing ??= flushUntil(nothingIsLeft);
  }

  return {
    add: (waiting) => {
      queue.push(waiting);
      if (!waiting.isPatient) begin();
      else if (flushing === undefined) beginLater();
    },
    drain: async () => {
      await flushing;
      if (queue.length === 0) return;
      beginAll();
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
