// The domains that this process is checking now, each once, and the thread that it is done in: there only while there are
// any, because an installation without domains is to pay nothing for them.

import type { DomainsTable } from "../../store/schema/watch.ts";
import { type CheckTerms, checkClaimed, type How } from "./check-claimed.ts";

export type DomainsInFlight = {
  readonly count: () => number;
  /** Never rejects. */
  readonly begin: (row: DomainsTable, how: How) => Promise<void>;
  readonly find: (id: string) => Promise<void> | undefined;
  /** Resolves once no more than so many are in hand. For one who waits. */
  readonly untilAtMost: (count: number) => Promise<void>;
  /** Ends the thread: what is in hand is given back. */
  readonly close: () => Promise<void>;
};

/** A thread takes some 60 MB, and the next sweep may be an hour away. */
const idleThreadMs = 60_000;

export function createDomainsInFlight(terms: CheckTerms): DomainsInFlight {
  const { thread } = terms;
  const inHand = new Map<string, Promise<void>>();
  let wake = () => {};
  let idle: NodeJS.Timeout | undefined;

  function leave(id: string, work: Promise<void>): void {
    // A domain whose selector changed is checked anew before the first check has ended.
    if (inHand.get(id) === work) inHand.delete(id);
    wake();
    clearTimeout(idle);
    if (inHand.size === 0) idle = setTimeout(thread.close, idleThreadMs).unref();
  }

  return {
    count: () => inHand.size,
    begin: (row, how) => {
      clearTimeout(idle);
      const work: Promise<void> = checkClaimed(row, how, terms).finally(() => leave(row.id, work));
      inHand.set(row.id, work);
      return work;
    },
    find: (id) => inHand.get(id),
    untilAtMost: async (count) => {
      while (inHand.size > count) {
        const woken = Promise.withResolvers<void>();
        wake = woken.resolve;
        await woken.promise;
      }
    },
    close: async () => {
      await thread.close();
      await Promise.all(inHand.values());
      clearTimeout(idle);
    },
  };
}
