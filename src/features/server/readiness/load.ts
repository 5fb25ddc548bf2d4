// What waits when the server is too slow (src/decisions.md, "Under load"). Measured only when someone asks, so that an
// idle server does nothing.

import { type PostponedWork, postponedWork } from "../../../platform/contract/server-state-words.ts";

export type Load = {
  readonly isPostponed: (work: PostponedWork) => boolean;
  /** In the order in which work is postponed. */
  readonly postponed: () => readonly PostponedWork[];
};

type LoadOptions = {
  readonly now: () => number;
  readonly maxBacklog: number;
  /** Messages that wait for analysis. Null: not known. */
  readonly backlog: () => number | null;
  /** Share of the time for which the main thread was busy since the last call, from 0 to 1. */
  readonly readBusy: () => number;
  readonly isDiskFull: () => boolean;
  /** The analyzer rests, so that a burst of mail ends sooner. */
  readonly isResting: () => boolean;
  readonly isMailDeferred: () => boolean;
};

/** Shares of ASSAY_MAX_BACKLOG. */
const exportsAt = 0.1;
const sweepsAt = 0.2;
/** Requests and mail already wait for one another. */
const busyAt = 0.9;
const measureEveryMs = 2_000;
/** Domains are checked even if the load never ends. */
const longestWaitMs = 7_200_000;
/** The load is over when it was low for this long. Otherwise the wait of two hours would begin again. */
const overAfterMs = 600_000;

export function createLoad(options: LoadOptions): Load {
  const { now, maxBacklog, backlog, readBusy, isDiskFull, isResting, isMailDeferred } = options;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let isBusy = false;
  let sweepsWait: { readonly since: number; lastAt: number } | null = null;

  function measure(): void {
    if (now() - measuredAt < measureEveryMs && now() >= measuredAt) return;
    measuredAt = now();
    isBusy = readBusy() >= busyAt;
  }

  const isBehind = (share: number) => (backlog() ?? 0) >= share * maxBacklog;

  function doSweepsWait(): boolean {
    const at = now();
    if (sweepsWait !== null && at - sweepsWait.lastAt > overAfterMs) sweepsWait = null;
    if (!isBehind(sweepsAt) && !isDiskFull()) return false;
    sweepsWait ??= { since: at, lastAt: at };
    sweepsWait.lastAt = at;
    return at - sweepsWait.since < longestWaitMs;
  }

  function isPostponed(work: PostponedWork): boolean {
    switch (work) {
      case "exports":
        measure();
        return isBusy || isBehind(exportsAt) || isDiskFull();
      case "sweeps":
        return doSweepsWait();
      case "analyses":
        return isDiskFull() || isResting();
      case "mail":
        return isMailDeferred();
    }
  }

  return { isPostponed, postponed: () => postponedWork.filter(isPostponed) };
}
