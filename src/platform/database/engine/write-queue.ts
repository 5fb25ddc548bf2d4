// Decides which writes share a flush. It balances three goals: no caller waits long, many writes share a flush, and no
// flush blocks the main thread for long.

import { setImmediate as nextRound } from "node:timers/promises";

export type Waiting = {
  /** Roughly what the flush will have to write. */
  readonly bytes: number;
  /** No caller waits for it: it joins other writes instead of causing a flush. */
  readonly isPatient: boolean;
};

type WriteQueue<W extends Waiting> = {
  readonly add: (waiting: W) => void;
  /** Runs all waiting writes, patient or not. */
  readonly drain: () => Promise<void>;
};

type WriteQueueOptions<W extends Waiting> = {
  readonly maxTogether: number;
  readonly maxBytesTogether: number;
  /**
   * Never rejects. A batch that no caller waits for need not reach the disk. `ended` is called before any caller of the
   * batch gets its result.
   */
  readonly flush: (batch: readonly W[], ended: () => void) => Promise<void>;
};

/**
 * How long a patient write waits for other writes to join. In a group, patient writes wait for one another: ten that
 * share a commit cost little more than one, but such a commit takes twice as long for everyone waiting.
 */
const patienceMs = { alone: 5, inCompany: 20 };
/** How many patient writes are taken at once if fewer others wait. More that arrive meanwhile wait for these. */
const alongAtOnce = 12;
/** A single write never waits for others. This limits how long writes in a group wait for one another. */
const longestGatheringMs = 3;
/** A caller that hasn't written again by then may never do so. */
const companyMs = 20;
/** Group flushes between two that wait for more writes than came the last time. */
const firstTry = 8;
const rarestTry = 256;
/** After this many flushes in a row for which all writes came in time. */
const forgiveAfter = 4;
/** How much a try must bring to count as a success. One extra write among twenty doesn't. */
const worthATry = 1.1;

export function createWriteQueue<W extends Waiting>(options: WriteQueueOptions<W>): WriteQueue<W> {
  const { maxTogether, flush } = options;
  const urgent: W[] = [];
  const patient: W[] = [];
  let lastPatientAt = Number.NEGATIVE_INFINITY;
  let areInCompany = false;
  /** The patient writes have waited long enough. */
  let isTheirTurn = false;
  let patience: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;
  const gathering = createGathering(maxTogether, countHere);

  /**
   * Patient writes, which are small, fill the remaining places. When it is their turn, a few places are reserved for
   * them.
   */
  function takeBatch(): W[] {
    const kept = isTheirTurn ? Math.min(alongAtOnce, patient.length, Math.floor(maxTogether / 2)) : 0;
    const first = urgent.splice(0, Math.min(howMany(urgent, options), maxTogether - kept));
    const places = Math.min(Math.max(alongAtOnce, first.length), maxTogether - first.length);
    const along = isTheirTurn || !areInCompany ? patient.splice(0, places) : [];
    if (patient.length === 0) endPatience(false);
    return [...along, ...first];
  }

  /** A full flush waits for no more writes. */
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
  /** This many writes came as a group just now. */
  readonly expect: (company: number) => void;
  readonly wait: () => Promise<void>;
  /** One more write arrived. */
  readonly come: () => void;
};

/**
 * A caller that wrote in a group usually writes again right after. Waiting briefly lets all of them share the next
 * flush too. Now and then it waits for a few more than came, because two alternating groups would otherwise never
 * merge.
 */
function createGathering(most: number, countHere: () => number): Gathering {
  let company = 0;
  let cameBefore = Number.POSITIVE_INFINITY;
  let expected = 0;
  let expectedSince = 0;
  /** Set while waiting for them. */
  let areHere: (() => void) | undefined;
  let onTime = 0;
  const tries = createTries();

  /**
   * One extra write doesn't raise it, and a few late ones don't lower it, nor lower it much where they may only be
   * late.
   */
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
  /** Takes whether a flush brought more than the one before. Returns whether to wait for more the next time. */
  readonly next: (isMore: boolean) => boolean;
  readonly forget: () => void;
};

/** Immediately after one that brought more, and more and more rarely otherwise. */
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

/** The first one is taken whatever its size. */
function howMany(queue: readonly Waiting[], bounds: WriteQueueOptions<never>): number {
  let bytes = 0;
  const tooMany = queue.findIndex((waiting, index) => {
    bytes += waiting.bytes;
    return index >= bounds.maxTogether || (index > 0 && bytes > bounds.maxBytesTogether);
  });
  return tooMany < 0 ? queue.length : tooMany;
}
