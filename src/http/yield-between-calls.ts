// When a call may begin: so many in a round of the event loop as take a few milliseconds. What a call costs the main thread
// it mostly costs at once, so that else mail, new connections and health checks would stand behind all calls that came
// together; with only one in a round, the writes of many could share no flush.

import { nextTick } from "node:process";

const roundMs = 5;

/** Undefined: at once, because nobody waits and this round has time left. Otherwise resolves in its turn. */
export function createCallYielding(
  now: () => number = () => performance.now(),
): () => Promise<void> | undefined {
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

  /** Once the one that begins has done what it does at once: only then does the clock tell what that took. */
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
    if (waiting.size > 0 || isBeginning || isSpent())
      return new Promise<void>((begin) => void waiting.add(begin));
    if (roundBegan === undefined) beginRound();
    goOn();
    return undefined;
  };
}
