// The monitor: checks every domain once an hour, and any at once when it is asked to. What is due stands in the database
// and is claimed there, so that a restart goes on where it was, what was missed is done at start, and several processes
// share the work. The checks run in a thread of their own, because the packets of ten thousand domains must not keep
// those waiting who send mail.

import { setTimeout as pause } from "node:timers/promises";
import { Cron } from "croner";
import { messageOf } from "../errors.ts";
import { claimDomainNow, readCheckedAt } from "../store/domain-checks.ts";
import { readMeta } from "../store/meta.ts";
import { createDomainsInHand, type DomainsInHand } from "./domains-in-hand.ts";
import { createReachTeller } from "./mail-reach.ts";
import { waitAtMost } from "./patience.ts";
import { type SweepTerms, sweepDomains } from "./sweep-domains.ts";
import { toOwnPlace } from "./sweep-times.ts";

export type DomainWatcher = {
  readonly start: () => Promise<void>;
  /** Takes no more, finishes what is in hand for at most `withinMs`, gives the rest back. */
  readonly stop: (withinMs: number) => Promise<void>;
  /** Resolves when the check is recorded or the time is over, whichever comes first; never throws. */
  readonly checkNow: (domainId: string, withinMs: number) => Promise<void>;
  /** All that is due, now; joins a sweep that is under way. */
  readonly sweep: () => Promise<void>;
  readonly lastSweep: () => Sweep | null;
};

export type Sweep = { readonly domains: number; readonly durationMs: number };

export type DomainWatcherOptions = Omit<SweepTerms, "ownPlaceMs" | "noteReach" | "stopping">;

const lookAgainMs = 100;

export async function createDomainWatcher(options: DomainWatcherOptions): Promise<DomainWatcher> {
  const { store, system } = options;
  const ownPlaceMs = toOwnPlace((await readMeta(store.read, "installation_id")) ?? "");
  const stop = new AbortController();
  const terms: SweepTerms = {
    ...options,
    ownPlaceMs,
    noteReach: createReachTeller(system.log),
    stopping: stop.signal,
  };
  const inHand = createDomainsInHand(terms);
  let cron: Cron | null = null;
  let sweeping: Promise<void> | null = null;
  let lastSweep: Sweep | null = null;

  async function sweepOnce(): Promise<void> {
    const startedAt = performance.now();
    const domains = await sweepDomains(terms, inHand);
    if (domains > 0) lastSweep = { domains, durationMs: performance.now() - startedAt };
  }

  function sweep(): Promise<void> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = null;
    });
    return sweeping;
  }

  return {
    start: async () => {
      const report = (error: unknown) => system.log.error("domains could not be looked up", {}, error);
      const rhythm = `${Math.floor(ownPlaceMs / 1_000) % 60} * * * * *`;
      cron = new Cron(rhythm, { protect: true, unref: true, utcOffset: 0, catch: report }, sweep);
      void cron.trigger();
    },
    stop: async (withinMs) => {
      stop.abort();
      cron?.stop();
      const ended = sweeping ?? Promise.resolve();
      await waitAtMost(
        withinMs,
        ended.then(() => inHand.untilAtMost(0)),
      );
      await inHand.close();
      await ended.catch(() => {}); // it was told when it happened
    },
    checkNow: async (domainId, withinMs) => {
      const patience = new AbortController();
      const given = AbortSignal.any([patience.signal, stop.signal]);
      const work = checkOne(domainId, terms, inHand, given).catch((error) =>
        system.log.error("domain could not be checked", { domain: domainId, problem: messageOf(error) }),
      );
      await waitAtMost(withinMs, work);
      patience.abort();
    },
    sweep,
    lastSweep: () => lastSweep,
  };
}

async function checkOne(
  id: string,
  { store, system, thread, owner, leaseMs }: SweepTerms,
  inHand: DomainsInHand,
  givenUp: AbortSignal,
): Promise<void> {
  const before = await readCheckedAt(store.read, id);
  let checkedAt = before;
  let hasJoined = false;
  // Once another process that was at it is done, there is nothing to do.
  while (before !== undefined && checkedAt === before && !givenUp.aborted) {
    const underWay = hasJoined ? undefined : inHand.find(id);
    if (underWay) {
      hasJoined = true;
      await underWay;
      // What it found may not count, because the selector is another one since it began.
      checkedAt = await readCheckedAt(store.read, id);
      continue;
    }
    await thread.warmUp();
    const lease = { now: system.now(), owner, leaseMs };
    const row = await store.write((db) => claimDomainNow(db, id, lease));
    if (row) return await inHand.begin(row, { fresh: true, alone: false });
    await pause(lookAgainMs);
    checkedAt = await readCheckedAt(store.read, id);
  }
}
