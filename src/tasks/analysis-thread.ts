// The analysis thread seen from the main one: hand a message over, get its analysis or why there is none.
// A thread, because MIME and authentication libraries can be made to freeze by a hostile message, and only a thread can be ended.

import type { Worker } from "node:worker_threads";
import type { Finding, StoredInput } from "./analyze-stored.ts";

export type AnalysisOutcome =
  | { readonly outcome: "finding"; readonly finding: Finding }
  /** The analyser threw: the same message would throw again. */
  | { readonly outcome: "failed"; readonly why: string }
  /** Past its deadline; the thread was ended for it. */
  | { readonly outcome: "stalled" }
  /** The thread ended while this message was in hand, through no known fault of its own. */
  | { readonly outcome: "interrupted" }
  /** We ended the thread ourselves, to stop. */
  | { readonly outcome: "closed" };

export type ThreadRequest = { readonly id: number; readonly input: StoredInput };
/** The first reply says only that the thread is up. */
export type ThreadReply = "up" | { readonly id: number; readonly outcome: AnalysisOutcome };

export type AnalysisThread = {
  /** Resolves when the thread takes messages, or could not be made: so that no message is blamed for a slow or failed start. */
  readonly warmUp: () => Promise<void>;
  readonly analyze: (input: StoredInput) => Promise<AnalysisOutcome>;
  readonly close: () => Promise<void>;
};

export type AnalysisThreadOptions = {
  readonly spawn: () => Worker;
  /** From handing over to the answer; past it the thread is ended. */
  readonly deadlineMs: number;
};

type InHand = { readonly resolve: (outcome: AnalysisOutcome) => void; readonly deadline: NodeJS.Timeout };

export function createAnalysisThread({ spawn, deadlineMs }: AnalysisThreadOptions): AnalysisThread {
  const inHand = new Map<number, InHand>();
  let worker: Worker | null = null;
  let up = Promise.withResolvers<void>();
  let lastId = 0;

  function settle(id: number, outcome: AnalysisOutcome): void {
    const entry = inHand.get(id);
    if (!entry) return;
    clearTimeout(entry.deadline);
    inHand.delete(id);
    entry.resolve(outcome);
  }

  function abandon(ended: Worker, outcome: "interrupted" | "closed"): void {
    if (worker !== ended) return;
    worker = null;
    up.resolve();
    for (const id of [...inHand.keys()]) settle(id, { outcome });
  }

  function spawnWorker(): Worker {
    const spawned = spawn();
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
    settle(id, { outcome: "stalled" });
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
    analyze: (input) =>
      new Promise((resolve) => {
        worker ??= spawnWorker();
        const id = ++lastId;
        inHand.set(id, { resolve, deadline: setTimeout(() => endStalled(id), deadlineMs) });
        const request: ThreadRequest = { id, input };
        worker.postMessage(request);
      }),
    close: async () => {
      const ended = worker;
      if (!ended) return;
      abandon(ended, "closed");
      await ended.terminate();
    },
  };
}
