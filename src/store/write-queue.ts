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

/**
 * What a patient write waits for others to go along with; and, where such come in company, for one another: ten that share a
 * commit cost little more of it than one, which makes it twice as long for whoever waits.
 */
const patienceMs = { alone: 5, inCompany: 20 };
/** Of the patient ones at once, where not as many others wait: whoever comes meanwhile waits for them. */
const alongAtOnce = 12;
/** A write alone never waits for others; this bounds what writes that come in company wait for one another. */
const longestGatheringMs = 0.5;

export function createWriteQueue<W extends Waiting>(options: WriteQueueOptions<W>): WriteQueue<W> {
  const { maxTogether, flush } = options;
  const urgent: W[] = [];
  const patient: W[] = [];
  let lastPatientAt = Number.NEGATIVE_INFINITY;
  let areInCompany = false;
  /** The patient ones have waited long enough. */
  let isTheirTurn = false;
  let patience: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  let gatheringMs = 0;

  /** While others write too, for as long as the last flush took: that at most doubles the time of a write. */
  async function gather(): Promise<void> {
    const until = performance.now() + gatheringMs;
    do await nextRound();
    while (performance.now() < until && urgent.length + patient.length < maxTogether);
  }

  function takeBatch(): W[] {
    const goAlong = isTheirTurn || !areInCompany;
    const along = goAlong ? patient.slice(0, Math.max(alongAtOnce, urgent.length)) : [];
    const picked = [...along, ...urgent];
    const batch = picked.slice(0, howMany(picked, options));
    patient.splice(0, Math.min(along.length, batch.length));
    urgent.splice(0, Math.max(0, batch.length - along.length));
    if (patient.length === 0) endPatience(false);
    return batch;
  }

  async function flushOnce(): Promise<void> {
    await gather();
    const batch = takeBatch();
    const startedAt = performance.now();
    await flush(batch);
    const waited = batch.filter(({ isPatient }) => !isPatient).length;
    gatheringMs = waited > 1 ? Math.min(performance.now() - startedAt, longestGatheringMs) : 0;
  }

  async function flushAll(): Promise<void> {
    do await flushOnce();
    while (urgent.length > 0 || isTheirTurn);
    flushing = undefined;
  }

  function begin(): void {
    flushing ??= flushAll();
  }

  function endPatience(isTurn: boolean): void {
    clearTimeout(patience);
    patience = undefined;
    isTheirTurn = isTurn;
    if (isTurn) begin();
  }

  function addPatient(waiting: W): void {
    const now = performance.now();
    areInCompany = now - lastPatientAt < patienceMs.inCompany;
    lastPatientAt = now;
    patient.push(waiting);
    if (isTheirTurn) return;
    if (patient.length >= alongAtOnce) endPatience(true);
    else patience ??= setTimeout(endPatience, areInCompany ? patienceMs.inCompany : patienceMs.alone, true);
  }

  function addUrgent(waiting: W): void {
    urgent.push(waiting);
    begin();
  }

  return {
    add: (waiting) => (waiting.isPatient ? addPatient(waiting) : addUrgent(waiting)),
    drain: async () => {
      while (urgent.length > 0 || patient.length > 0) {
        endPatience(true);
        await flushing;
      }
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
