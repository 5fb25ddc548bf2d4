// The monitor: checks every domain once an hour, and any at once when somebody asks. The checks run in a thread of their
// own, because the packets of ten thousand domains must not keep those waiting who send mail.

import { setTimeout as pause } from "node:timers/promises";
import { messageOf, Refusal } from "../../errors.ts";
import { finishClaim, releaseClaim } from "../../store/claims.ts";
import {
  bringForward,
  claimDomainNow,
  claimDomains,
  countDueDomains,
  type DueDomain,
  hasDomainDueAfter,
  peekDomains,
  readCheckedAt,
} from "../../store/domains/domain-checks.ts";
import { readMeta } from "../../store/engine/meta.ts";
import { untilStopped } from "../analysis/job-thread.ts";
import { waitWithTimeout } from "../timeout.ts";
import { createJobQueue, everyMinute, type JobQueue, type Killed, triesInCompany } from "../work-loop.ts";
import { type CheckTerms, type ClaimedDomain, check, type Trouble } from "./check-claimed.ts";
import { createPort25Notes } from "./port25.ts";
import { hourMs, toNextSweep, toOwnPlace, toPace } from "./sweep-times.ts";

export type DomainWatcher = {
  readonly start: () => void;
  readonly stop: (withinMs: number) => Promise<void>;
  /** Resolves when the check is recorded or the time is over, whichever comes first; never throws. */
  readonly checkNow: (domainId: string, withinMs: number) => Promise<void>;
  /** All that is due, now; joins a sweep that is under way. */
  readonly sweep: () => Promise<void>;
  readonly lastSweep: () => Sweep | null;
};

type Sweep = { readonly domains: number; readonly durationMs: number };

export type DomainWatcherOptions = Omit<CheckTerms, "ownPlaceMs" | "noteReach"> & {
  /** Names this process in claims. */
  readonly owner: string;
  /** Longer than any check may take, so that a claim lapses only when its process is gone. */
  readonly leaseMs: number;
};

const lookAgainMs = 100;
const tryAgainMs = 60_000;
/**
 * Many, because a check mostly waits for name servers; and few enough that none of them waits for the processor: what it has
 * heard meanwhile outlives the collections of young garbage, which makes each domain dearer by a tenth.
 */
const places = 32;
/** Claimed together while more is due. */
const handful = 8;
/** A thread takes some 60 MB, and the next sweep may be an hour away. */
const idleThreadMs = 60_000;

export async function createDomainWatcher(options: DomainWatcherOptions): Promise<DomainWatcher> {
  const { store, system, thread, owner, leaseMs } = options;
  const ownPlaceMs = toOwnPlace((await readMeta(store.read, "installation_id")) ?? "");
  const terms: CheckTerms = { ...options, ownPlaceMs, noteReach: createPort25Notes(system.log) };
  const sweeps = createSweeps();
  let idle: NodeJS.Timeout | undefined;

  async function peek(limit: number) {
    if (!sweeps.isUnderWay()) await recallFarOnes(terms);
    const due = await peekDomains(store.read, system.now(), limit);
    if (due.length > 0 && !sweeps.isUnderWay())
      sweeps.begin(toPace(await countDueDomains(store.read, system.now())));
    if (due.length === 0 && queue.count() === 0) {
      sweeps.end();
      idle ??= setTimeout(thread.close, idleThreadMs).unref();
    }
    return due;
  }

  const queue: JobQueue<ClaimedDomain> = createJobQueue<ClaimedDomain, DueDomain, Trouble>({
    ...{ thread, places, handful, peek, every: everyMinute, log: system.log, restMs: sweeps.restMs },
    words: { trouble: "domains could not be looked up", over: "domains can be looked up again" },
    allow: ({ length }) => Math.min(length, sweeps.mayBegin()),
    claim: async (which) => {
      const lease = { now: system.now(), owner, leaseMs, ...which };
      // A claim that is lost with the machine is made again.
      const rows = await store.writeRelaxed((db) => claimDomains(db, lease));
      sweeps.note(rows.length);
      return rows.map((row) => ({ ...row, fresh: false }));
    },
    triesAlone: (row) => row.attempts - triesInCompany,
    run: async (row, { stopping }) => {
      clearTimeout(idle);
      idle = undefined;
      return await check(row, { ...terms, thread: untilStopped(thread, stopping) });
    },
    giveBack: async (row) => {
      const dueAt = row.due_at ?? system.now();
      await store.write((db) => releaseClaim(db, "domains", row, { dueAt, unmarked: true }));
    },
    retry: async (row, trouble) => {
      const { domain, attempts: tries } = row;
      system.log.warn("check of a domain did not end", { domain, tries, problem: toProblem(trouble) });
      const dueAt = system.now() + (trouble.outcome === "failed" ? tryAgainMs : 0);
      await store.write((db) => releaseClaim(db, "domains", row, { dueAt }));
    },
    giveUp: async (row, why) => {
      const fields = { domain: row.domain, problem: toProblem(why) };
      system.log.error("domain cannot be checked before the next hour", fields);
      await store.write((db) => finishClaim(db, "domains", row, toNextSweep(system.now(), ownPlaceMs)));
    },
    onError: async ({ domain }, error) => {
      const unknown = error instanceof Refusal ? undefined : error;
      system.log.error("check of a domain could not be kept", { domain }, unknown);
    },
  });

  return {
    start: queue.start,
    stop: async (withinMs) => {
      await queue.stop(withinMs);
      clearTimeout(idle);
    },
    checkNow: async (domainId, withinMs) => {
      const patience = new AbortController();
      const givenUp = AbortSignal.any([patience.signal, queue.stopping]);
      const work = checkOne(domainId, options, queue, givenUp).catch((error) =>
        system.log.error("domain could not be checked", { domain: domainId, problem: messageOf(error) }),
      );
      await waitWithTimeout(withinMs, work);
      patience.abort();
    },
    sweep: queue.untilIdle,
    lastSweep: sweeps.last,
  };
}

function toProblem(why: Trouble | Killed): string {
  if (why.outcome === "killed") return "the program ended again and again";
  return why.outcome === "failed" ? why.why : `${why.outcome} ${why.during}`;
}

async function checkOne(
  id: string,
  { store, system, thread, owner, leaseMs }: DomainWatcherOptions,
  queue: JobQueue<ClaimedDomain>,
  givenUp: AbortSignal,
): Promise<void> {
  const before = await readCheckedAt(store.read, id);
  let checkedAt = before;
  let hasJoined = false;
  // Once another process that was at it is done, there is nothing to do.
  while (before !== undefined && checkedAt === before && !givenUp.aborted) {
    const underWay = hasJoined ? undefined : queue.find(id);
    if (underWay) {
      hasJoined = true;
      await underWay;
      // What it found may not count, because the selector is another one since it began.
      checkedAt = await readCheckedAt(store.read, id);
      continue;
    }
    await thread.warmUp();
    const lease = { now: system.now(), owner, leaseMs };
    const row = await store.write((db) => claimDomainNow(db, { id, checkedAt: before }, lease));
    if (row) return await queue.begin({ ...row, fresh: true });
    await pause(lookAgainMs);
    checkedAt = await readCheckedAt(store.read, id);
  }
}

// A sweep lasts from when a domain is due until none is, and none is in flight. It begins so many domains a second.

/** Begun without a pause, whatever the pace: few domains are through in a moment. */
const burst = places / 2;

function createSweeps() {
  let sweep: { readonly startedAt: number; readonly perSecond: number; domains: number } | null = null;
  let last: Sweep | null = null;
  return {
    isUnderWay: () => sweep !== null,
    begin: (perSecond: number) => {
      sweep = { startedAt: performance.now(), perSecond, domains: 0 };
    },
    note: (begun: number) => {
      if (sweep) sweep.domains += begun;
    },
    end: () => {
      if (sweep && sweep.domains > 0)
        last = { domains: sweep.domains, durationMs: performance.now() - sweep.startedAt };
      sweep = null;
    },
    last: () => last,
    /** Until another handful may begin. */
    restMs: () => {
      if (!sweep) return 0;
      const { startedAt, perSecond, domains } = sweep;
      return Math.max(0, startedAt + (domains + handful - burst) * (1_000 / perSecond) - performance.now());
    },
    mayBegin: () => {
      if (!sweep) return 0;
      const { startedAt, perSecond, domains } = sweep;
      const passed = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
      return Math.max(1, burst - domains + passed);
    },
  };
}

/** Twice the longest, because the clocks of two processes differ. */
const farAheadMs = 2 * hourMs;
const recalledAtOnce = 500;

/** Each is due within the hour: what is not was written by a clock that was set back since. */
async function recallFarOnes({ store, system }: Pick<CheckTerms, "store" | "system">): Promise<void> {
  const now = system.now();
  const latest = now + farAheadMs;
  while (await hasDomainDueAfter(store.read, latest))
    await store.write((db) => bringForward(db, { latest, now, limit: recalledAtOnce }));
}
