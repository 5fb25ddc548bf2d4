// The rows that have no report yet are the queue: claimed, handed to the analyser, finished. A restart goes on where it was,
// and several processes on one database share the work, because a claim lapses when its process dies.

import type { TestsTable } from "../../store/schema/schema.ts";
import { claimTests, readDueSizes } from "../../store/tests/tests.ts";
import { createPoller } from "../poller.ts";
import { waitWithTimeout } from "../timeout.ts";
import {
  type AnalysisTerms,
  analyzeAlone,
  analyzeInCompany,
  explainTrouble,
  giveBack,
} from "./analyze-claimed.ts";

type AnalysisQueueOptions = AnalysisTerms & {
  /** Names this process in claims. */
  readonly owner: string;
  readonly pace: AnalysisPace;
};

export type AnalysisQueue = {
  readonly start: () => void;
  /** There is something new to do. */
  readonly kick: () => void;
  /** Takes no more, finishes what is in hand for at most `withinMs`, gives the rest back. */
  readonly stop: (withinMs: number) => Promise<void>;
};

/** Many, so that look-ups overlap; few bytes, because each message stands here and in the thread. */
const maxInHand = 64;
const maxBytesInHand = 67_108_864;
const lookAgainMs = 5_000;
/** A message in hand that often when the analyser or the whole process ended is handed out alone from then on. */
const triesInCompany = 2;

export function createAnalysisQueue(options: AnalysisQueueOptions): AnalysisQueue {
  const { store, thread, system, owner, leaseMs, pace } = options;
  /** What is being analysed, with its size. */
  const inHand = new Map<Promise<void>, number>();
  const suspects: TestsTable[] = [];
  /** What is in hand is a suspect: whatever came beside it could die and have it blamed. */
  let isAlone = false;
  let stopping = false;
  let isMore = false;
  const looks = createPoller({
    look,
    everyMs: lookAgainMs,
    log: system.log,
    words: { trouble: "tests cannot be claimed", over: "tests can be claimed again" },
  });
  const kickAfter = createAlarm(looks.kick);

  function begin(ticket: TestsTable, analyze: typeof analyzeAlone): void {
    const work = analyze(ticket, options).catch((error: unknown) => explainTrouble(error, ticket, options));
    inHand.set(work, ticket.size_bytes);
    void work.finally(() => {
      inHand.delete(work);
      isAlone = false;
      pace.noteAnalysed();
      looks.kick();
    });
  }

  /** One by one, once nothing else is in hand. */
  function beginSuspect(): void {
    const next = inHand.size === 0 ? suspects.shift() : undefined;
    if (!next) return;
    isAlone = true;
    begin(next, analyzeAlone);
  }

  async function claim(): Promise<void> {
    // While there is more than can be taken, not one by one: each claim is a write.
    if (isMore && inHand.size > maxInHand / 2) return;
    const now = system.now();
    const sizes = await readDueSizes(store.read, now, maxInHand - inHand.size + 1);
    const limit = howManyFit(sizes.slice(0, maxInHand - inHand.size), inHand);
    isMore = limit < sizes.length;
    if (sizes.length === 0) pace.noteNothingWaits();
    if (limit === 0) return;
    await thread.warmUp();
    if (stopping) return;
    for (const ticket of await store.writeRelaxed((db) => claimTests(db, { now, owner, leaseMs, limit }))) {
      if (ticket.attempts > triesInCompany) suspects.push(ticket);
      else begin(ticket, analyzeInCompany);
    }
    beginSuspect();
  }

  async function look(): Promise<void> {
    const restMs = pace.restMs();
    if (isAlone || suspects.length > 0) beginSuspect();
    else if (restMs > 0) kickAfter(restMs);
    else await claim();
  }

  return {
    start: looks.start,
    kick: () => {
      pace.noteArrival();
      looks.kick();
    },
    stop: async (withinMs) => {
      stopping = true;
      await waitWithTimeout(
        withinMs,
        looks.end().then(() => Promise.allSettled(inHand.keys())),
      );
      for (const ticket of suspects.splice(0)) await giveBack(ticket, { wasAlone: false }, options);
    },
  };
}

/** Rings once, however often it is set meanwhile. */
function createAlarm(ring: () => void): (afterMs: number) => void {
  let isSet = false;
  return (afterMs) => {
    if (isSet) return;
    isSet = true;
    setTimeout(() => {
      isSet = false;
      ring();
    }, afterMs).unref();
  };
}

/** One always does, whatever its size. */
function howManyFit(sizes: readonly number[], inHand: ReadonlyMap<unknown, number>): number {
  let bytes = inHand.values().reduce((sum, size) => sum + size, 0);
  const tooMany = sizes.findIndex((size) => {
    const isFirst = bytes === 0;
    bytes += size;
    return bytes > maxBytesInHand && !isFirst;
  });
  return tooMany < 0 ? sizes.length : tooMany;
}

// How fast the backlog is worked off while mail comes in. Senders wait for their 250, nobody waits for the report of the
// thousandth message of a burst: while more comes than could be analysed anyway, the analyser rests most of the time, so
// that the burst is over sooner. But only for seconds: with who sends without end it has to keep up.

type AnalysisPace = {
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
