// When a call may begin: as many per round of the event loop as take a few milliseconds. Most calls use the main thread
// in one piece, so without a limit, mail, new connections and health checks would wait for all calls that arrived
// together. With only one per round, the writes of several calls could not share a flush.

import { nextTick } from "node:process";

const roundMs = 5;

/**
 * Undefined: start now, because no call is waiting and this round has time left. Otherwise resolves when it is this
 * call's turn.
 */
export function createCallYielding(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  const waiting = new Set<() => void>();
  let roundBegan: number | undefined;
  let isBeginning = false;
  const isSpent = () => roundBegan !== undefined && now() - roundBegan >= roundMs;

  function beginRound(): void {
    roundBegan = now();
    setImmediate(endRound);
  }

  function endRound(): void {
    roundBegan = undefined;
    if (waiting.size === 0) return;
    beginRound();
    beginNext();
  }

  function beginNext(): void {
    const [begin] = waiting;
    if (!begin) return;
    waiting.delete(begin);
    begin();
    goOn();
  }

  /** After the current call has done its synchronous work, because only then does the clock show what it took. */
  function goOn(): void {
    isBeginning = true;
    queueMicrotask(() =>
      nextTick(() => {
        isBeginning = false;
        if (!isSpent()) beginNext();
      }),
    );
  }

  return () => {
    if (waiting.size > 0 || isBeginning || isSpent()) return new Promise<void>((begin) => void waiting.add(begin));
    if (roundBegan === undefined) beginRound();
    goOn();
    return undefined;
  };
}
