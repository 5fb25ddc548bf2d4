// Work that somebody waits for, a little at a time: who comes waits in the line of their workspace, and the lines are
// served in turn, so that one workspace that asks for fifty things holds up no other. Lines are bounded, and so is the
// time that anybody stands in one: who is refused learns when to come back.

import { Refusal } from "../errors.ts";

type FairQueue = {
  readonly run: <T>(workspaceId: string, work: () => Promise<T>) => Promise<T>;
  /** Refuses all who wait, and whoever comes. */
  readonly close: () => void;
};

export type FairQueueBounds = {
  readonly atOnce: number;
  readonly waitingPerWorkspace: number;
  readonly waitingInAll: number;
  readonly patienceMs: number;
};

type Waiting = {
  readonly workspaceId: string;
  readonly admit: () => void;
  readonly refuse: (why: Refusal) => void;
};

/** `what` is waited for: completes "Too many … wait". */
export function createFairQueue(what: string, bounds: FairQueueBounds): FairQueue {
  const lines = new Map<string, Set<Waiting>>();
  let inside = 0;
  let waiting = 0;
  let closed = false;

  const refusal = (code: "rate_limited" | "overloaded", why: string) =>
    new Refusal(code, `${why}; try again in a moment.`, { retryAfterSeconds: 10 });

  function leaveLine(one: Waiting): boolean {
    const line = lines.get(one.workspaceId);
    if (!line?.delete(one)) return false;
    waiting -= 1;
    if (line.size === 0) lines.delete(one.workspaceId);
    return true;
  }

  /** The first of the line whose turn it is; that line is the last then. */
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
    if (closed) throw refusal("overloaded", "This server is about to stop");
    if (inside < bounds.atOnce) {
      inside += 1;
      return;
    }
    if ((lines.get(workspaceId)?.size ?? 0) >= bounds.waitingPerWorkspace)
      throw refusal("rate_limited", `${bounds.waitingPerWorkspace} ${what} of this workspace wait already`);
    if (waiting >= bounds.waitingInAll) throw refusal("overloaded", `Too many ${what} wait`);
    await standInLine(workspaceId);
  }

  async function standInLine(workspaceId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { workspaceId, admit: resolve, refuse: reject };
    const line = lines.get(workspaceId) ?? new Set();
    lines.set(workspaceId, line.add(one));
    waiting += 1;
    const timer = setTimeout(() => {
      if (leaveLine(one)) reject(refusal("overloaded", `Other ${what} take long`));
    }, bounds.patienceMs);
    await promise.finally(() => clearTimeout(timer));
  }

  return {
    run: async (workspaceId, work) => {
      await enter(workspaceId);
      try {
        return await work();
      } finally {
        // Who is admitted takes over the place.
        if (waiting > 0) admitNext();
        else inside -= 1;
      }
    },
    close: () => {
      closed = true;
      for (const line of [...lines.values()])
        for (const one of [...line])
          if (leaveLine(one)) one.refuse(refusal("overloaded", "This server is about to stop"));
    },
  };
}
