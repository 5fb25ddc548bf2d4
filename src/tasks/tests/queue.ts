// The tests that have no report yet are the queue: claimed, handed to the analyzer, finished (src/decisions.md, "Analysis").

import { releaseClaim } from "../../store/claims.ts";
import type { TestsTable } from "../../store/schema/schema.ts";
import { claimTests, claimTestsAlone, type DueTest, peekTests, takeBack } from "../../store/tests/tests.ts";
import { untilStopped } from "../analysis/job-thread.ts";
import { createJobQueue, type JobQueue, type Killed } from "../work-loop.ts";
import {
  type AnalysisTerms,
  analyze,
  explainTrouble,
  recordFailure,
  type Trouble,
} from "./analyze-claimed.ts";

type AnalysisQueueOptions = AnalysisTerms & {
  /** Names this process in claims. */
  readonly owner: string;
  readonly pace: AnalysisPace;
};

export type AnalysisQueue = Pick<JobQueue<TestsTable>, "start" | "kick" | "stop">;

/** Many, so that look-ups overlap; few bytes, because each message is kept here and in the thread. */
const places = 64;
const mostBytes = 67_108_864;

export function createAnalysisQueue(options: AnalysisQueueOptions): AnalysisQueue {
  const { store, thread, system, owner, leaseMs, pace } = options;
  let bytes = 0;
  const queue = createJobQueue<TestsTable, DueTest, Trouble>({
    ...{ thread, places, handful: places / 2, every: 5_000, log: system.log, restMs: pace.restMs },
    words: { trouble: "tests cannot be claimed", over: "tests can be claimed again" },
    peek: async (limit) => {
      const due = await peekTests(store.read, system.now(), limit);
      if (due.length === 0) pace.noteNothingWaits();
      return due;
    },
    allow: (waiting) => howManyFit(waiting, bytes),
    claim: async (which) => {
      const lease = { now: system.now(), owner, leaseMs, ...which };
      // A claim that is lost with the machine is made again, but a try alone must be counted.
      if (which.triedAtLeast !== undefined) return await store.write((db) => claimTestsAlone(db, lease));
      return await store.writeRelaxed((db) => claimTests(db, lease));
    },
    triesAlone: (test) => test.tries_alone,
    run: async (test, { stopping }) => {
      bytes += test.size_bytes;
      return await analyze(test, { ...options, thread: untilStopped(thread, stopping) }).finally(() => {
        bytes -= test.size_bytes;
        pace.noteAnalysed();
      });
    },
    giveBack: (test, { isAlone: wasAlone }) =>
      store.write((db) => takeBack(db, test, { dueAt: system.now(), wasAlone })),
    retry: async (test) => {
      await store.write((db) => releaseClaim(db, "tests", test, { dueAt: system.now() }));
    },
    giveUp: (test, why) => recordFailure(test, toFailure(why), options),
    onError: (test, error) => explainTrouble(error, test, options),
  });
  return {
    start: queue.start,
    stop: queue.stop,
    kick: () => {
      pace.noteArrival();
      queue.kick();
    },
  };
}

function toFailure(why: Trouble | Killed): string {
  if (why.outcome === "killed") return `The program ended ${why.times} times while it analysed this message.`;
  const verb = why.outcome === "stalled" ? "stalled" : "ended";
  return `This message ${verb} the analyser again when it was analysed alone, ${why.during}.`;
}

/** One always does, whatever its size. */
function howManyFit(waiting: readonly DueTest[], inFlight: number): number {
  let bytes = inFlight;
  const tooMany = waiting.findIndex(({ size_bytes }) => {
    const isFirst = bytes === 0;
    bytes += size_bytes;
    return bytes > mostBytes && !isFirst;
  });
  return tooMany < 0 ? waiting.length : tooMany;
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
