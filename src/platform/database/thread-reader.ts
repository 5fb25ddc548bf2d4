// The main thread's side of the reading threads. A thread is started when none is free, ended after a minute without a
// query, and restarted if it dies. Threads keep the process alive only during a query.

import type { Worker } from "node:worker_threads";
import { Refusal } from "../errors.ts";
import { spawnThread } from "../system/assets.ts";
import type { ReadingThreadSetup, ThreadAnswer, ThreadQuestion, ThreadRequest } from "./reading-thread.ts";
import type { ReadBatch } from "./store.ts";

type ThreadReader = {
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;
  readonly readBatch: ReadBatch;
  /** Returns "ok", or the first problem of the table and its indexes. */
  readonly quickCheck: (table: string) => Promise<string>;
  /** Moves the log's present content into the file. */
  readonly moveLog: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Waiting = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting>; idle: NodeJS.Timeout | undefined };

/** So that a search doesn't wait for a long export. */
const mostThreads = 2;

export function createThreadReader(setup: ReadingThreadSetup, idleMs = 60_000): ThreadReader {
  const threads = new Set<Thread>();
  let lastId = 0;
  let closed = false;
  let ending: Promise<unknown> = Promise.resolve();

  function leastBusy(): Thread {
    const [freest] = [...threads].sort((one, other) => one.waiting.size - other.waiting.size);
    if (freest && (freest.waiting.size === 0 || threads.size >= mostThreads)) return freest;
    const started = startThread(setup, () => void threads.delete(started));
    threads.add(started);
    return started;
  }

  /** The answer has the type that the question determines. */
  async function ask<Answer>(question: ThreadQuestion): Promise<Answer> {
    if (closed) throw new Error("The store is closed.");
    const thread = leastBusy();
    const { worker, waiting } = thread;
    clearTimeout(thread.idle);
    const request: ThreadRequest = { id: ++lastId, ...question };
    try {
      const answer = await new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        worker.ref();
        worker.postMessage(request);
      });
      return answer as Answer;
    } finally {
      waiting.delete(request.id);
      if (waiting.size === 0) rest(thread);
    }
  }

  function rest(thread: Thread): void {
    if (closed) return; // whatever ends a thread keeps the process alive until it is done
    thread.worker.unref();
    clearTimeout(thread.idle);
    thread.idle = setTimeout(() => {
      // Immediately, not once it has ended: it would get questions meanwhile and never answer.
      threads.delete(thread);
      const terminated = thread.worker.terminate();
      ending = ending.then(() => terminated);
    }, idleMs).unref();
  }

  return {
    query: (sql, parameters) => ask({ sql, parameters }),
    readBatch: (name, question) => ask({ name, question }),
    quickCheck: (table) => ask({ quickCheck: table }),
    moveLog: () => ask({ moveLog: true }),
    close: async () => {
      closed = true;
      for (const { idle } of threads) clearTimeout(idle);
      await Promise.all([ending, ...[...threads].map(({ worker }) => worker.terminate())]);
    },
  };
}

function startThread(setup: ReadingThreadSetup, ended: () => void): Thread {
  const worker = spawnThread("reading-thread", setup);
  const waiting = new Map<number, Waiting>();
  let reason: Error | undefined;
  worker.on("message", (answer: ThreadAnswer) => {
    const caller = waiting.get(answer.id);
    if ("answer" in answer) caller?.resolve(answer.answer);
    else caller?.reject(toError(answer.error));
  });
  worker.on("error", (error) => {
    reason = error instanceof Error ? error : new Error(String(error));
  });
  worker.on("exit", () => {
    ended();
    for (const { reject } of waiting.values()) reject(reason ?? new Error("The reading thread has ended."));
  });
  return { worker, waiting, idle: undefined };
}

/** An error that crosses threads loses its class. */
function toError({ message, code }: { readonly message: string; readonly code: unknown }): Error {
  if (code === "overloaded") return new Refusal(code, message);
  return Object.assign(new Error(message), { code });
}
