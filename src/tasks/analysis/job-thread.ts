// A thread that reads messages, seen from the main one: hand a job over, get its answer or why there is none.
// A thread, because MIME and HTML libraries can be made to freeze by a hostile message, and only a thread can be ended.

import type { Worker } from "node:worker_threads";
import { overloaded, Refusal } from "../../errors.ts";
import type { System } from "../../system/system.ts";
import type { AnswerTo, Job } from "./jobs.ts";
import { createPhaseCell } from "./phase.ts";

export type JobOutcome<Answer = unknown> =
  | { readonly outcome: "answer"; readonly answer: Answer }
  /** The job threw: the same message would throw again. */
  | { readonly outcome: "failed"; readonly why: string }
  /** Past its deadline; the thread was ended for it. */
  | { readonly outcome: "stalled"; readonly during: string }
  /** The thread ended while this message was in hand, through no known fault of its own. */
  | { readonly outcome: "interrupted"; readonly during: string }
  /** We ended the thread ourselves, to stop. */
  | { readonly outcome: "closed" };

export type ThreadRequest = { readonly id: number; readonly job: Job };
/** The first reply says only that the thread is up. */
export type ThreadReply = "up" | { readonly id: number; readonly outcome: JobOutcome };

export type JobThread = {
  /** Resolves when the thread takes jobs, or could not be made: so that no message is blamed for a slow or failed start. */
  readonly warmUp: () => Promise<void>;
  readonly run: <J extends Job>(job: J) => Promise<JobOutcome<AnswerTo<J>>>;
  readonly close: () => Promise<void>;
};

type JobThreadOptions = {
  readonly spawn: (phase: SharedArrayBuffer) => Worker;
  /** From handing over to the answer; past it the thread is ended. */
  readonly deadlineMs: number;
};

type InFlight = { readonly resolve: (outcome: JobOutcome) => void; readonly deadline: NodeJS.Timeout };

export function createJobThread({ spawn, deadlineMs }: JobThreadOptions): JobThread {
  const inFlight = new Map<number, InFlight>();
  let worker: Worker | null = null;
  let phase = createPhaseCell();
  let up = Promise.withResolvers<void>();
  let lastId = 0;

  function settle(id: number, outcome: JobOutcome): void {
    const entry = inFlight.get(id);
    if (!entry) return;
    clearTimeout(entry.deadline);
    inFlight.delete(id);
    entry.resolve(outcome);
  }

  function abandon(ended: Worker, outcome: "interrupted" | "closed"): void {
    if (worker !== ended) return;
    worker = null;
    up.resolve();
    const told: JobOutcome = outcome === "closed" ? { outcome } : { outcome, during: phase.tell() };
    for (const id of [...inFlight.keys()]) settle(id, told);
  }

  function spawnWorker(): Worker {
    phase = createPhaseCell();
    const spawned = spawn(phase.memory);
    const started = Promise.withResolvers<void>();
    up = started;
    spawned.on("message", (reply: ThreadReply) => {
      if (reply === "up") started.resolve();
      else settle(reply.id, reply.outcome);
    });
    // An error is followed by exit, which gives everything in hand back.
    spawned.on("error", () => {});
    spawned.on("exit", () => abandon(spawned, "interrupted"));
    spawned.unref();
    return spawned;
  }

  function endStalled(id: number): void {
    settle(id, { outcome: "stalled", during: phase.tell() });
    const stalled = worker;
    if (!stalled) return;
    abandon(stalled, "interrupted");
    void stalled.terminate();
  }

  return {
    warmUp: () => {
      worker ??= spawnWorker();
      return up.promise;
    },
    run: async <J extends Job>(job: J) => {
      worker ??= spawnWorker();
      const { promise, resolve } = Promise.withResolvers<JobOutcome>();
      const id = ++lastId;
      inFlight.set(id, { resolve, deadline: setTimeout(() => endStalled(id), deadlineMs) });
      const request: ThreadRequest = { id, job };
      worker.postMessage(request);
      // The thread answers a job of this kind with an answer of this kind (jobs.ts).
      return (await promise) as JobOutcome<AnswerTo<J>>;
    },
    close: async () => {
      const ended = worker;
      if (!ended) return;
      abandon(ended, "closed");
      await ended.terminate();
    },
  };
}

/** Nothing is handed over after the stop: it would start the thread again that the stop has ended. */
export function untilStopped(thread: JobThread, stopping: AbortSignal): JobThread {
  const run: JobThread["run"] = async (job) =>
    stopping.aborted ? { outcome: "closed" } : await thread.run(job);
  return { ...thread, run };
}

// A person waits for what a thread does for them: its answer, or in plain words why there is none. A hostile message may
// stall or end the thread; nothing else happens then.

type JobSubject = { readonly testId: string; readonly log: System["log"] };

/** Who does it, and what it is called. */
type Work = { readonly by: "reader" | "analyser"; readonly name: "reading" | "analysis" };

export const reading: Work = { by: "reader", name: "reading" };
export const analysing: Work = { by: "analyser", name: "analysis" };

export function answerOf<Answer>(
  outcome: JobOutcome<Answer>,
  work: Work,
  { testId, log }: JobSubject,
): Answer {
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
