// Tests without a report are the queue: claimed, analyzed, finished (src/decisions.md, "Analysis").

import type { Phase } from "../../../analyzer/phase.ts";
import { releaseClaim } from "../../../platform/work/claims.ts";
import { holdClaim } from "../../../platform/work/hold-claim.ts";
import { createJobQueue, type JobQueue, type Killed } from "../../../platform/work/work-loop.ts";
import { writeUnwrittenSenders } from "../../domains/work/seen-senders.ts";
import type { Turns } from "../../intake/work/turns.ts";
import { untilStopped } from "../analysis/job-thread.ts";
import { claimTests, claimTestsAlone, type DueTest, peekTests, takeBack } from "../rows/tests.ts";
import type { TestsTable } from "../tables.ts";
import { type AnalysisTerms, analyzeQueued, type Trouble } from "./analyze-claimed.ts";
import { type ClaimedTest, withSettings } from "./path.ts";
import { recordFailure } from "./record-failure.ts";

type AnalysisQueueOptions = AnalysisTerms & {
  /** Identifies this process in claims. */
  readonly owner: string;
  readonly pace: AnalysisPace;
  /** Nothing may be analyzed now, because a report would use up space that people need. */
  readonly isHeld?: () => boolean;
  readonly turns: Pick<Turns, "noteClaimed" | "noteNothingWaits">;
};

export type AnalysisQueue = Pick<JobQueue<TestsTable>, "start" | "kick" | "stop"> & {
  /**
   * What a test in progress here is going through, and for how long. Beside others, which share the phase, it is the
   * last one that was asked for.
   */
  readonly progressOf: (testId: string) => { readonly phase: Phase; readonly ms: number } | null;
};

/** Many, so that lookups overlap. Their total size is limited, because each message is held here and in the thread. */
const places = 64;
const mostBytes = 67_108_864;
const heldMs = 2_000;

export function createAnalysisQueue(options: AnalysisQueueOptions): AnalysisQueue {
  const { store, features, thread, system, owner, leaseMs, pace, turns, isHeld } = options;
  let bytes = 0;
  const running = new Map<string, { readonly began: number; phase: Phase | null }>();
  const queue = createJobQueue<ClaimedTest, DueTest, Trouble>({
    thread,
    places,
    handful: places / 2,
    every: 5_000,
    system,
    restMs: () => (isHeld?.() ? heldMs : pace.restMs()),
    words: { trouble: "analyzing tests failed", over: "analyzing tests is working again" },
    peek: async (limit) => {
      const due = await peekTests(store.read, system.now(), limit);
      if (due.length === 0) {
        pace.noteNothingWaits();
        turns.noteNothingWaits();
        await writeUnwrittenSenders(options);
      }
      return due;
    },
    allow: (waiting) => howManyFit(waiting, bytes),
    claim: async (which) => {
      const lease = { now: system.now(), owner, leaseMs, ...which };
      const isAlone = which.triedAtLeast !== undefined;
      // A claim lost in a crash is simply made again, but a try alone must be counted.
      const claimed = isAlone
        ? await store.write((db) => claimTestsAlone(db, lease))
        : await store.writeRelaxed((db) => claimTests(db, lease));
      if (!isAlone) turns.noteClaimed(claimed.map(({ due_at }) => due_at));
      return await withSettings(features, store.read, claimed);
    },
    triesAlone: (test) => test.tries_alone,
    run: async (test, { stopping }) => {
      bytes += test.size_bytes;
      running.set(test.id, { began: system.now(), phase: null });
      const terms = { ...options, thread: untilStopped(thread, stopping) };
      return await holdClaim("tests", test, options, () => analyzeQueued(test, terms)).finally(() => {
        bytes -= test.size_bytes;
        running.delete(test.id);
        pace.noteAnalysed();
      });
    },
    giveBack: (test, { isAlone: wasAlone }) =>
      store.write((db) => takeBack(db, test, { dueAt: system.now(), wasAlone })),
    retry: async (test) => {
      await store.write((db) => releaseClaim(db, "tests", test, { dueAt: system.now() }));
    },
    giveUp: (test, why) => recordFailure(test, toFailure(why), options),
    putBack: (test) => recordFailure(test, notSaved, options),
  });
  return {
    start: queue.start,
    progressOf: (testId) => {
      const test = running.get(testId);
      if (test === undefined) return null;
      if (running.size === 1) test.phase = thread.phase?.() ?? test.phase;
      return test.phase && { phase: test.phase, ms: system.now() - test.began };
    },
    stop: async (withinMs) => {
      await queue.stop(withinMs);
      await writeUnwrittenSenders(options, true).catch((cause: unknown) =>
        system.log.warn("Could not write how often senders were seen.", { cause: String(cause) }),
      );
    },
    kick: () => {
      pace.noteArrival();
      queue.kick();
    },
  };
}

const notSaved = "Internal error: the report could not be saved. See the server's log.";

function toFailure(why: Trouble | Killed): string {
  if (why.outcome === "killed") return `The server stopped ${why.times} times while analyzing this message.`;
  const verb = why.outcome === "stalled" ? "stalled" : "crashed";
  return `This message ${verb} the analyzer again when analyzed alone, ${why.during}.`;
}

/** One always fits, whatever its size. */
function howManyFit(waiting: readonly DueTest[], inFlight: number): number {
  let bytes = inFlight;
  const tooMany = waiting.findIndex(({ size_bytes }) => {
    const isFirst = bytes === 0;
    bytes += size_bytes;
    return bytes > mostBytes && !isFirst;
  });
  return tooMany < 0 ? waiting.length : tooMany;
}

// Slows down analysis while mail arrives in a burst. Senders wait for their 250, but no one waits for the thousandth
// report. While more mail arrives than can be analyzed, the analyzer rests most of the time, so the burst ends sooner.
// The rest lasts only seconds, because under steady load it must keep up.

export type AnalysisPace = {
  readonly noteArrival: () => void;
  readonly noteAnalysed: () => void;
  readonly noteNothingWaits: () => void;
  /** Called before starting more. Returns how long to wait. */
  readonly restMs: () => number;
  readonly isResting: () => boolean;
};

/** Messages per measurement: enough to tell a burst from a few that arrive together. */
const turn = 64;
/** It is a burst if this many times more messages arrived than were analyzed. */
const burst = 2;
/** Rest per time worked, limited so that no report is late after the burst. */
const rest = 3;
const longestRestMs = 300;
/** Limit for all rests until the queue is empty again. */
const longestRestsMs = 5_000;

/** `clock`: monotonic milliseconds. */
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
    isResting: () => clock() < restUntil,
    restMs: () => {
      const now = clock();
      if (now < restUntil) return restUntil - now;
      if (restUntil > 0 || analysed >= turn) {
        const isBurst = restUntil === 0 && came >= burst * analysed;
        const restMs = isBurst ? Math.min(rest * (now - turnBegan), longestRestMs, longestRestsMs - rested) : 0;
        rested += restMs;
        restUntil = restMs > 0 ? now + restMs : 0;
        turnBegan = now;
        came = analysed = 0;
      }
      return Math.max(0, restUntil - now);
    },
  };
}
