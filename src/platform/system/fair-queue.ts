// Runs work that a person waits for. Each workspace has its own line, and the lines are served in turn, so that a workspace
// with fifty requests does not delay the others. Lines and waiting times are limited. A rejected caller learns when to try
// again.

import { Refusal } from "../errors.ts";

type FairQueue = {
  readonly run: <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;
  /** Rejects all who wait, and all new ones. */
  readonly close: () => void;
};

export type FairQueueBounds = {
  readonly atOnce: number;
  readonly waitingPerWorkspace: number;
  readonly waitingInAll: number;
  readonly patienceMs: number;
};

type Waiting = { readonly workspaceId: string; readonly admit: () => void; readonly refuse: (why: Refusal) => void };

/** `what` is a plural noun that completes "Too many … are waiting". */
export function createFairQueue(what: string, bounds: FairQueueBounds): FairQueue {
  const lines = new Map<string, Set<Waiting>>();
  let inside = 0;
  let waiting = 0;
  let closed = false;

  const refusal = (code: "rate_limited" | "overloaded", why: string) =>
    new Refusal(code, `${why}. Try again in a moment.`, { retryAfterSeconds: 10 });

  function leaveLine(one: Waiting): boolean {
    const line = lines.get(one.workspaceId);
    if (!line?.delete(one)) return false;
    waiting -= 1;
    if (line.size === 0) lines.delete(one.workspaceId);
    return true;
  }

  /** The first in the line whose turn it is. That line then moves to the end. */
  function admitNext(): void {
    const [turn] = lines;
    if (!turn) return;
    const [workspaceId, line] = turn;
    const [first] = line;
    lines.delete(workspaceId);
    lines.set(workspaceId, line);
    if (first && leaveLine(first)) first.admit();
  }

  async function enter(workspaceId: string): Promise<void> {
    if (closed) throw refusal("overloaded", "The server is shutting down");
    if (inside < bounds.atOnce) {
      inside += 1;
      return;
    }
    if ((lines.get(workspaceId)?.size ?? 0) >= bounds.waitingPerWorkspace)
      throw refusal("rate_limited", `This workspace already has ${bounds.waitingPerWorkspace} ${what} waiting`);
    if (waiting >= bounds.waitingInAll) throw refusal("overloaded", `Too many ${what} are waiting`);
    await standInLine(workspaceId);
  }

  async function standInLine(workspaceId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { workspaceId, admit: resolve, refuse: reject };
    const line = lines.get(workspaceId) ?? new Set();
    lines.set(workspaceId, line.add(one));
    waiting += 1;
    const timer = setTimeout(() => {
      if (leaveLine(one)) reject(refusal("overloaded", `Other ${what} are taking too long`));
    }, bounds.patienceMs);
    await promise.finally(() => clearTimeout(timer));
  }

  return {
    run: async (workspaceId, work) => {
      await enter(workspaceId);
      try {
        return await work();
      } finally {
        // The next one takes over the place.
        if (waiting > 0) admitNext();
        else inside -= 1;
      }
    },
    close: () => {
      closed = true;
      for (const line of [...lines.values()])
        for (const one of [...line])
          if (leaveLine(one)) one.refuse(refusal("overloaded", "The server is shutting down"));
    },
  };
}
