// Runs jobs in a thread and returns their answers, or why there is none. A thread is needed because hostile messages
// can freeze MIME and HTML libraries, and only a thread can be terminated.

import type { ResourceLimits, Worker } from "node:worker_threads";
import { createPhaseCell, type Phase } from "../../../analyzer/phase.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import type { AnswerTo, Job } from "./jobs.ts";
import { watchForStalls } from "./stall-watch.ts";

export type JobOutcome<Answer = unknown> =
  | { readonly outcome: "answer"; readonly answer: Answer }
  /** The job threw; it would throw again for the same message. */
  | { readonly outcome: "failed"; readonly why: string }
  /** The job stalled (stall-watch.ts) and the thread was terminated. */
  | { readonly outcome: "stalled"; readonly during: string; readonly phase?: Phase }
  /** The thread ended during the job, for a reason that may have nothing to do with it. */
  | { readonly outcome: "interrupted"; readonly during: string; readonly phase?: Phase }
  /** We ended the thread to stop. */
  | { readonly outcome: "closed" };

export type ThreadRequest = { readonly id: number; readonly job: Job };
/** The first reply says that the thread is ready. */
export type ThreadReply = "up" | { readonly id: number; readonly outcome: JobOutcome };

export type JobThread = {
  /** Resolves when the thread is ready or could not start, so that no message is blamed for a slow or failed start. */
  readonly warmUp: () => Promise<void>;
  readonly run: <J extends Job>(job: J) => Promise<JobOutcome<AnswerTo<J>>>;
  /** What its only job is going through. Null with more jobs or none. Not every thread can say. */
  readonly phase?: () => Phase | null;
  readonly close: () => Promise<void>;
};

/** `renew`: later jobs run in a new thread, with what `spawn` knows by then. */
export type RenewableThread = JobThread & { readonly renew: () => void };

type JobThreadOptions = {
  readonly spawn: (phase: SharedArrayBuffer) => Worker;
  /** Processor time of the thread for a job. After that, the thread is terminated. */
  readonly deadlineMs: number;
  readonly ceilingMs?: number;
};

/** What a job waits for, such as DNS, is limited to seconds. The rest is waiting for the processor. */
const defaultCeilingMs = 900_000;

/**
 * A message of the usual 25 MB needs less than half of this. Without a limit, the thread's garbage grows to what the
 * machine has, because the engine collects it only near its limit.
 */
export function analysisThreadLimits(config: Pick<Config, "smtpMaxMessageBytes">): ResourceLimits {
  return { maxOldGenerationSizeMb: Math.max(512, Math.ceil(config.smtpMaxMessageBytes / 50_000)) };
}

/** Examinations keep less at a time than an analysis, and the memory of both adds up. */
export function examinationThreadLimits(config: Pick<Config, "smtpMaxMessageBytes">): ResourceLimits {
  return {
    maxOldGenerationSizeMb: Math.max(256, Math.ceil(config.smtpMaxMessageBytes / 100_000)),
    // After a flood, they run for minutes. The default lets young objects take more memory than all others.
    maxYoungGenerationSizeMb: 12,
  };
}

export function createJobThread(options: JobThreadOptions): RenewableThread {
  let current: WorkerLane | null = null;
  /** Replaced, but with jobs to finish. */
  const retired = new Set<WorkerLane>();

  function open(): WorkerLane {
    current ??= openLane(options, (ended) => {
      if (current === ended) current = null;
      retired.delete(ended);
    });
    return current;
  }

  return {
    warmUp: () => open().up,
    // The thread answers each kind of job with its kind of answer (jobs.ts).
    run: async <J extends Job>(job: J) => (await open().run(job)) as JobOutcome<AnswerTo<J>>,
    phase: () => current?.phase() ?? null,
    renew: () => {
      if (current === null) return;
      const replaced = current;
      current = null;
      retired.add(replaced);
      replaced.endWhenIdle();
    },
    close: async () => {
      await Promise.all([current, ...retired].map((lane) => lane?.close()));
    },
  };
}

/** One worker with the jobs that it was given. */
type WorkerLane = {
  readonly up: Promise<void>;
  readonly run: (job: Job) => Promise<JobOutcome>;
  readonly phase: () => Phase | null;
  readonly endWhenIdle: () => void;
  readonly close: () => Promise<void>;
};

function openLane(options: JobThreadOptions, onEnd: (lane: WorkerLane) => void): WorkerLane {
  const { deadlineMs, ceilingMs = defaultCeilingMs } = options;
  const inFlight = new Map<number, (outcome: JobOutcome) => void>();
  const phase = createPhaseCell();
  const worker = options.spawn(phase.memory);
  const progress = () => answers + phase.count();
  const watch = watchForStalls({ worker, progress, deadlineMs, ceilingMs, onStall: (id) => endStalled(id) });
  const up = Promise.withResolvers<void>();
  const describePhase = () => ({ during: phase.describe(), phase: phase.current() });
  let endsWhenIdle = false;
  let lastId = 0;
  let answers = 0;
  /** So many were entered when a job ended, so the last one may be that job’s. */
  let sharedPhases = 0;

  function settle(id: number, outcome: JobOutcome): void {
    const resolve = inFlight.get(id);
    if (!resolve) return;
    answers += 1;
    watch.end(id);
    inFlight.delete(id);
    sharedPhases = phase.count();
    resolve(outcome);
    if (endsWhenIdle && inFlight.size === 0) void end("closed");
  }

  async function end(outcome: "interrupted" | "closed"): Promise<void> {
    onEnd(lane);
    up.resolve();
    const settled: JobOutcome = outcome === "closed" ? { outcome } : { outcome, ...describePhase() };
    for (const id of [...inFlight.keys()]) settle(id, settled);
    await worker.terminate();
  }

  function endStalled(id: number): void {
    settle(id, { outcome: "stalled", ...describePhase() });
    void end("interrupted");
  }

  worker.on("message", (reply: ThreadReply) => {
    if (reply === "up") up.resolve();
    else settle(reply.id, reply.outcome);
  });
  // Exit follows and settles all jobs.
  worker.on("error", () => {});
  worker.on("exit", () => void end("interrupted"));
  worker.unref();

  const lane: WorkerLane = {
    up: up.promise,
    run: (job) => {
      const { promise, resolve } = Promise.withResolvers<JobOutcome>();
      const id = ++lastId;
      // The last phase was that of an earlier job.
      if (inFlight.size === 0) phase.enter("waiting");
      inFlight.set(id, resolve);
      watch.begin(id);
      worker.postMessage({ id, job } satisfies ThreadRequest);
      return promise;
    },
    phase: () => (inFlight.size === 1 && phase.count() !== sharedPhases ? phase.current() : null),
    endWhenIdle: () => {
      endsWhenIdle = true;
      if (inFlight.size === 0) void end("closed");
    },
    close: () => end("closed"),
  };
  return lane;
}

/** A thread costs some 60 MB. */
const threadIdleMs = 1_000;

/** Ends the thread when it was idle for a while. The next job starts a new one. */
export function endingWhenIdle(thread: JobThread): JobThread {
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  const rest = () => {
    clearTimeout(idle);
    if (running === 0) idle = setTimeout(() => void thread.close(), threadIdleMs).unref();
  };
  return {
    ...thread,
    warmUp: () => thread.warmUp().finally(rest),
    run: async (job) => {
      clearTimeout(idle);
      running += 1;
      return await thread.run(job).finally(() => {
        running -= 1;
        rest();
      });
    },
  };
}

/** In proportion to the memory with a new thread. */
const mostGrown = 1.3;
const renewAfterMs = 15_000;

type Memory = {
  /** The whole process has so many. */
  readonly residentBytes: () => number;
  readonly giveBack: () => Promise<void>;
};

/**
 * Replaces the thread when it is idle and the memory has grown, because what a thread used isn't given back otherwise.
 * The new one is started at once, so that the next message doesn't wait for it.
 */
export function renewingWhenGrown(thread: RenewableThread, { residentBytes, giveBack }: Memory): JobThread {
  let running = 0;
  let idle: NodeJS.Timeout | undefined;
  let fresh: number | undefined;
  const renew = async () => {
    if (residentBytes() <= (fresh ?? 0) * mostGrown) return;
    thread.renew();
    await Promise.all([thread.warmUp(), giveBack()]);
    fresh = residentBytes();
  };
  return {
    ...thread,
    warmUp: async () => {
      await thread.warmUp();
      fresh ??= residentBytes();
    },
    run: async (job) => {
      clearTimeout(idle);
      running += 1;
      return await thread.run(job).finally(() => {
        running -= 1;
        if (running === 0) idle = setTimeout(() => void renew(), renewAfterMs).unref();
      });
    },
    close: async () => {
      clearTimeout(idle);
      await thread.close();
    },
  };
}

/** Refuses jobs after the stop, because they would restart the thread. */
export function untilStopped(thread: JobThread, stopping: AbortSignal): JobThread {
  const run: JobThread["run"] = async (job) => (stopping.aborted ? { outcome: "closed" } : await thread.run(job));
  return { ...thread, run };
}

// Turns a job's outcome into its answer or an error that users understand. A hostile message may stall or end the
// thread, without further consequences.

type JobSubject = { readonly testId: string; readonly log: System["log"] };

type Work = { readonly by: "reader" | "analyzer"; readonly name: "reading" | "analysis" };

export const reading: Work = { by: "reader", name: "reading" };
export const analysing: Work = { by: "analyzer", name: "analysis" };

export function answerOf<Answer>(outcome: JobOutcome<Answer>, work: Work, { testId, log }: JobSubject): Answer {
  switch (outcome.outcome) {
    case "answer":
      return outcome.answer;
    case "failed":
      throw new Error(`The ${work.name} of ${testId} failed: ${outcome.why}`);
    case "stalled":
      log.warn(`a message stalled the ${work.by}`, { test: testId });
      throw new Refusal("overloaded", `This message stalled the ${work.by}.`);
    default:
      throw overloaded(`The ${work.name} was interrupted`);
  }
}
