// The main thread's side of the reading thread: started at the first query, ended after a minute without one,
// started anew when it has died. It keeps the process alive only while a query is under way.

import type { Worker } from "node:worker_threads";
import { Refusal } from "../errors.ts";
import { spawnThread } from "../system/assets.ts";
import type { ReadingThreadSetup, ThreadAnswer, ThreadRequest } from "./reading-thread.ts";

export type ThreadReader = {
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;
  /** Writes a consistent copy into an empty file. */
  readonly copyTo: (file: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Waiting = { readonly resolve: (rows: unknown[]) => void; readonly reject: (error: Error) => void };
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting> };
type Question = { sql: string; parameters: readonly unknown[] } | { copyTo: string };

export function createThreadReader(setup: ReadingThreadSetup, idleMs = 60_000): ThreadReader {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;

  function running(): Thread {
    if (thread) return thread;
    const started = startThread(setup, () => {
      if (thread === started) thread = undefined;
    });
    thread = started;
    return started;
  }

  async function ask(question: Question): Promise<unknown[]> {
    if (closed) throw new Error("The store is closed.");
    clearTimeout(idle);
    const { worker, waiting } = running();
    const request: ThreadRequest = { id: ++lastId, ...question };
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        worker.ref();
        worker.postMessage(request);
      });
    } finally {
      waiting.delete(request.id);
      if (waiting.size === 0) rest(worker);
    }
  }

  function rest(worker: Worker): void {
    worker.unref();
    clearTimeout(idle);
    idle = setTimeout(() => void worker.terminate(), idleMs).unref();
  }

  return {
    query: (sql, parameters) => ask({ sql, parameters }),
    copyTo: async (file) => void (await ask({ copyTo: file })),
    close: async () => {
      closed = true;
      clearTimeout(idle);
      await thread?.worker.terminate();
    },
  };
}

function startThread(setup: ReadingThreadSetup, ended: () => void): Thread {
  const worker = spawnThread("reading-thread", setup);
  const waiting = new Map<number, Waiting>();
  let reason: Error | undefined;
  worker.on("message", (answer: ThreadAnswer) => {
    const caller = waiting.get(answer.id);
    if ("rows" in answer) caller?.resolve(answer.rows);
    else caller?.reject(toError(answer.error));
  });
  worker.on("error", (error) => {
    reason = error instanceof Error ? error : new Error(String(error));
  });
  worker.on("exit", () => {
    ended();
    for (const { reject } of waiting.values()) reject(reason ?? new Error("The reading thread has ended."));
  });
  return { worker, waiting };
}

/** An error that crosses threads loses its class. */
function toError({ message, code }: { readonly message: string; readonly code: unknown }): Error {
  if (code === "overloaded") return new Refusal(code, message);
  return Object.assign(new Error(message), { code });
}
