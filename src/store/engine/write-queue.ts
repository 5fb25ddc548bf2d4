// Who waits for a flush, and with whom each shares it. Three wishes are weighed: nobody who waits for an answer waits
// long, many share a flush, and no flush holds the main thread for long.

import { setImmediate as nextRound } from "node:timers/promises";

export type Waiting = {
  /** What the flush will have to write, roughly. */
  readonly bytes: number;
  /** Nobody waits for it: it goes along with others, and costs no flush of its own. */
  readonly isPatient: boolean;
};

type WriteQueue<W extends Waiting> = {
  readonly add: (waiting: W) => void;
  /** Writes all that wait, patient or not. */
  readonly drain: () => Promise<void>;
};

type WriteQueueOptions<W extends Waiting> = {
  readonly maxTogether: number;
  readonly maxBytesTogether: number;
  /** Never rejects. Without one for whom somebody waits it need not reach the disk. `ended` is called before anybody of the batch is told. */
  readonly flush: (batch: readonly W[], ended: () => void) => Promise<void>;
};

/**
 * What a patient write waits for others to go along with; and, where such come in company, for one another: ten that share a
 * commit cost little more of it than one, which makes it twice as long for whoever waits.
 */
const patienceMs = { alone: 5, inCompany: 20 };
/** Of the patient ones at once, where not as many others wait: whoever comes meanwhile waits for them. */
const alongAtOnce = 12;
/** A write alone never waits for others; this bounds what writes that come in company wait for one another. */
const longestGatheringMs = 3;
/** Who has not written again by then may never. */
const companyMs = 20;
/** Of flushes in company, between two that wait for more than came the time before. */
const firstTry = 8;
const rarestTry = 256;
/** So many flushes in a row, for which all came in time. */
const forgiveAfter = 4;
/** How many times as many make a try one that brought more: a guest among twenty does not. */
const worthATry = 1.1;

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
  const gathering = createGathering(maxTogether, countHere);

  /** The patient ones, which write little, take the places that are left; in their turn a few are kept for them. */
  function takeBatch(): W[] {
    const kept = isTheirTurn ? Math.min(alongAtOnce, patient.length, Math.floor(maxTogether / 2)) : 0;
    const first = urgent.splice(0, Math.min(howMany(urgent, options), maxTogether - kept));
    const places = Math.min(Math.max(alongAtOnce, first.length), maxTogether - first.length);
    const along = isTheirTurn || !areInCompany ? patient.splice(0, places) : [];
    if (patient.length === 0) endPatience(false);
    return [...along, ...first];
  }

  /** A flush that is full waits for nobody. */
  function countHere(): number {
    return howMany(urgent, options) < urgent.length ? Number.POSITIVE_INFINITY : urgent.length;
  }

  async function flushOnce(): Promise<void> {
    await nextRound();
    await gathering.wait();
    const batch = takeBatch();
    await flush(batch, () => {
      gathering.expect(batch.filter(({ isPatient }) => !isPatient).length + urgent.length);
    });
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
    gathering.come();
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

type Gathering = {
  /** So many wrote in company just now. */
  readonly expect: (company: number) => void;
  readonly wait: () => Promise<void>;
  /** One more is here. */
  readonly come: () => void;
};

/**
 * Whoever wrote in company a moment ago mostly writes again in a moment: then all share the next flush, too. Now and then a
 * few more are waited for than came, because two companies that take turns would else never become one.
 */
function createGathering(most: number, countHere: () => number): Gathering {
  let company = 0;
  let cameBefore = Number.POSITIVE_INFINITY;
  let expected = 0;
  let expectedSince = 0;
  /** While they are waited for. */
  let areHere: (() => void) | undefined;
  let onTime = 0;
  const tries = createTries();

  /** Not more because of one guest, nor fewer because some are late for once; nor many fewer where they may only be late. */
  function likelyAfter(came: number): number {
    const twice = Math.min(came, cameBefore);
    const isLate = came < company;
    const isForgiven = isLate && onTime >= forgiveAfter;
    onTime = isLate ? 0 : onTime + 1;
    if (isForgiven || !isLate) return Math.max(twice, company);
    tries.forget(); // they may come back
    return Math.max(twice, Math.floor(company * 0.9));
  }

  return {
    expect: (came) => {
      const isTry = tries.next(came > company * worthATry);
      const likely = Math.min(most, likelyAfter(came));
      cameBefore = came;
      company = likely > 1 ? likely : 0;
      if (company === 0) tries.forget();
      expected = isTry ? Math.min(most, Math.ceil(company * 1.25)) : company;
      expectedSince = performance.now();
    },
    wait: async () => {
      if (performance.now() - expectedSince > companyMs) {
        company = expected = 0;
        cameBefore = Number.POSITIVE_INFINITY;
        onTime = 0;
        tries.forget();
      }
      if (countHere() >= expected) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      areHere = resolve;
      const deadline = setTimeout(resolve, longestGatheringMs);
      await promise;
      areHere = undefined;
      clearTimeout(deadline);
    },
    come: () => {
      if (areHere && countHere() >= expected) areHere();
    },
  };
}

type Tries = {
  /** Told of each flush whether more came than the time before; answers whether to wait for more the next time. */
  readonly next: (isMore: boolean) => boolean;
  readonly forget: () => void;
};

/** The next at once where one brought more, and ever rarer where it did not. */
function createTries(): Tries {
  let every = firstTry;
  let left = every;
  let isTrying = false;
  return {
    next: (isMore) => {
      if (isTrying) every = left = isMore ? 1 : Math.min(Math.max(firstTry, every * 2), rarestTry);
      left -= 1;
      isTrying = left <= 0;
      return isTrying;
    },
    forget: () => {
      every = left = firstTry;
      isTrying = false;
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
