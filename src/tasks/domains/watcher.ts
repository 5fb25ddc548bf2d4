// The monitor: checks every domain once an hour, and any at once when it is asked to. What is due stands in the database
// and is claimed there, so that a restart goes on where it was, what was missed is done at start, and several processes
// share the work. The checks run in a thread of their own, because the packets of ten thousand domains must not keep
// those waiting who send mail.

import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import { Cron } from "croner";
import { messageOf } from "../../errors.ts";
import type { Lease } from "../../store/claims.ts";
import {
  bringForward,
  claimDomainNow,
  claimDomains,
  countDueDomains,
  hasDomainDue,
  readCheckedAt,
} from "../../store/domains/domain-checks.ts";
import { readMeta } from "../../store/engine/meta.ts";
import type { DomainsTable } from "../../store/schema/watch.ts";
import { waitWithTimeout } from "../timeout.ts";
import { type CheckTerms, handBack, maxTriesInCompany } from "./check-claimed.ts";
import { createDomainsInFlight, type DomainsInFlight } from "./in-flight.ts";
import { createPort25Notes } from "./port25.ts";
import { hourMs, toOwnPlace, toPace } from "./sweep-times.ts";

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

type Sweep = { readonly domains: number; readonly durationMs: number };

export type DomainWatcherOptions = Omit<SweepTerms, "ownPlaceMs" | "noteReach" | "stopping">;

const lookAgainMs = 100;

export async function createDomainWatcher(options: DomainWatcherOptions): Promise<DomainWatcher> {
  const { store, system } = options;
  const ownPlaceMs = toOwnPlace((await readMeta(store.read, "installation_id")) ?? "");
  const stop = new AbortController();
  const terms: SweepTerms = {
    ...options,
    ownPlaceMs,
    noteReach: createPort25Notes(system.log),
    stopping: stop.signal,
  };
  const inHand = createDomainsInFlight(terms);
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
      await waitWithTimeout(
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
      await waitWithTimeout(withinMs, work);
      patience.abort();
    },
    sweep,
    lastSweep: () => lastSweep,
  };
}

async function checkOne(
  id: string,
  { store, system, thread, owner, leaseMs }: SweepTerms,
  inHand: DomainsInFlight,
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

// All monitored domains that are due, by as many at a time as is good, until none is.

type SweepTerms = CheckTerms & {
  /** Names this process in claims. */
  readonly owner: string;
};

/**
 * Many, because a check mostly waits for name servers; and few enough that none of them waits for the processor: what it has
 * heard meanwhile outlives the collections of young garbage, which makes each domain dearer by a tenth.
 */
const maxInHand = 32;
/** Twice the longest, because the clocks of two processes differ. */
const farAheadMs = 2 * hourMs;
const recalledAtOnce = 500;
/** Begun without a pause, whatever the pace: few domains are through in a moment. */
const burst = maxInHand / 2;
/** Claimed together from then on. */
const handful = 8;

/** Answers how many were handed out. */
async function sweepDomains(terms: SweepTerms, inHand: DomainsInFlight): Promise<number> {
  await recallFarOnes(terms);
  return (await sweepTogether(terms, inHand)) + (await sweepSuspects(terms, inHand));
}

async function sweepTogether(terms: SweepTerms, inHand: DomainsInFlight): Promise<number> {
  const untilAllowed = createPacer(toPace(await countDueDomains(terms.store.read, terms.system.now())));
  let domains = 0;
  for (let isMore = true; isMore; ) {
    const limit = Math.min(maxInHand - inHand.count(), await untilAllowed(domains));
    const rows = await claim(terms, { limit, triedAtMost: maxTriesInCompany - 1 });
    domains += rows.length;
    await beginEach(rows, terms, inHand);
    isMore = rows.length > 0 || inHand.count() > 0;
    await inHand.untilAtMost(rows.length > 0 ? maxInHand - handful : 0);
  }
  return domains;
}

/** One after the other, and claimed only then: the claims of a long sweep would lapse meanwhile. */
async function sweepSuspects(terms: SweepTerms, inHand: DomainsInFlight): Promise<number> {
  for (let domains = 0; ; domains++) {
    const [row] = await claim(terms, { limit: 1 });
    if (row === undefined) return domains;
    if (terms.stopping.aborted) await handBack(row, terms);
    else await inHand.begin(row, { fresh: false, alone: row.attempts > maxTriesInCompany });
  }
}

/** Each in a round of its own, because what is read for one keeps the main thread. */
async function beginEach(
  rows: readonly DomainsTable[],
  terms: SweepTerms,
  inHand: DomainsInFlight,
): Promise<void> {
  for (const row of rows) {
    if (terms.stopping.aborted) await handBack(row, terms);
    else void inHand.begin(row, { fresh: false, alone: false });
    await nextRound();
  }
}

/** Waits until another handful may be begun, and answers how many may. */
function createPacer(perSecond: number): (begun: number) => Promise<number> {
  const startedAt = performance.now();
  return async (begun) => {
    const nextAt = startedAt + (begun + handful - burst) * (1_000 / perSecond);
    if (performance.now() < nextAt) await pause(nextAt - performance.now());
    return Math.max(1, burst - begun + Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
  };
}

/** Each is due within the hour: what is not was written by a clock that was set back since. */
async function recallFarOnes({ store, system }: SweepTerms): Promise<void> {
  const now = system.now();
  const latest = now + farAheadMs;
  while (await hasDomainDue(store.read, ">", latest))
    await store.write((db) => bringForward(db, { latest, now, limit: recalledAtOnce }));
}

async function claim(
  { store, system, thread, owner, leaseMs, stopping }: SweepTerms,
  some: Pick<Lease, "limit" | "triedAtMost">,
): Promise<DomainsTable[]> {
  const now = system.now();
  // A look is no write: mostly there is nothing to do.
  if (stopping.aborted || some.limit <= 0 || !(await hasDomainDue(store.read, "<=", now))) return [];
  // An attempt counts from when it can be made.
  await thread.warmUp();
  if (stopping.aborted) return [];
  // A claim that is lost with the machine is made again.
  return await store.writeRelaxed((db) => claimDomains(db, { now, owner, leaseMs, ...some }));
}
