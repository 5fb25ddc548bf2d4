// The monitor. Checks each domain hourly, and any domain on request. Checks run in a separate thread, so that the
// traffic of ten thousand domains does not delay incoming mail.

import { setTimeout as pause } from "node:timers/promises";
import type { DomainReport } from "../../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import { readMeta } from "../../../platform/database/engine/meta.ts";
import { messageOf } from "../../../platform/errors.ts";
import { finishClaim, releaseClaim } from "../../../platform/work/claims.ts";
import { holdClaim } from "../../../platform/work/hold-claim.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import {
  createJobQueue,
  everyMinute,
  type JobQueue,
  type Killed,
  triesInCompany,
} from "../../../platform/work/work-loop.ts";
import { untilStopped } from "../../tests/analysis/job-thread.ts";
import { decodeReport } from "../../tests/rows/reports.ts";
import {
  bringForward,
  claimDomainNow,
  claimDomains,
  countDueDomains,
  type DueDomain,
  hasDomainDueAfter,
  peekDomains,
  readCheckedAt,
} from "../rows/domain-checks.ts";
import type { DomainsTable } from "../tables.ts";
import { type CheckTerms, type ClaimedDomain, check, type Trouble } from "./check-claimed.ts";
import { createPort25Notes } from "./port25.ts";
import { hourMs, toNextSweep, toOwnPlace, toPace } from "./sweep-times.ts";

export type DomainWatcher = {
  readonly start: () => void;
  readonly stop: (withinMs: number) => Promise<void>;
  /** Resolves when the check is recorded or time is up. Never throws. */
  readonly checkNow: (domainId: string, withinMs: number) => Promise<void>;
  /** Without a record of it. Null if the thread has no answer. */
  readonly checkOnce: (domain: Pick<DomainsTable, "workspace_id" | "domain">) => Promise<DomainReport | null>;
  /** Checks all due domains now; joins a running sweep. */
  readonly sweep: () => Promise<void>;
  readonly lastSweep: () => Sweep | null;
};

type Sweep = { readonly domains: number; readonly durationMs: number };

export type DomainWatcherOptions = Omit<CheckTerms, "ownPlaceMs" | "noteReach"> & {
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Hourly checks wait because of the load. Checks on request don't. */
  readonly isHeld?: () => boolean;
  /** Extended while a check runs, so a claim expires only when its process is gone. */
  readonly leaseMs: number;
};

const pollEveryMs = 100;
const tryAgainMs = 60_000;
const heldMs = 30_000;
/**
 * Many, because checks mostly wait for name servers. More would make each check about a tenth slower: data then
 * survives young garbage collections while it waits for the processor.
 */
const places = 32;
/** Claimed together when more are due. */
const handful = 8;
/** The thread takes about 60 MB, and the next sweep may be an hour away. */
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
    if (due.length > 0 && !sweeps.isUnderWay()) sweeps.begin(toPace(await countDueDomains(store.read, system.now())));
    if (due.length === 0 && queue.count() === 0) {
      sweeps.end();
      idle ??= setTimeout(thread.close, idleThreadMs).unref();
    }
    return due;
  }

  const queue: JobQueue<ClaimedDomain> = createJobQueue<ClaimedDomain, DueDomain, Trouble>({
    thread,
    places,
    handful,
    peek,
    every: everyMinute,
    system,
    restMs: () => (options.isHeld?.() ? heldMs : sweeps.restMs()),
    words: { trouble: "checking domains failed", over: "checking domains is working again" },
    allow: ({ length }) => Math.min(length, sweeps.mayBegin()),
    claim: async (which) => {
      const lease = { now: system.now(), owner, leaseMs, ...which };
      // If a crash loses the claim, it is made again.
      const rows = await store.writeRelaxed((db) => claimDomains(db, lease));
      sweeps.note(rows.length);
      return rows.map((row) => ({ ...row, fresh: false }));
    },
    triesAlone: (row) => row.attempts - triesInCompany,
    run: async (row, { stopping }) => {
      clearTimeout(idle);
      idle = undefined;
      const held = { ...terms, thread: untilStopped(thread, stopping) };
      return await holdClaim("domains", row, options, () => check(row, held));
    },
    giveBack: async (row) => {
      const dueAt = row.due_at ?? system.now();
      await store.write((db) => releaseClaim(db, "domains", row, { dueAt, unmarked: true }));
    },
    retry: async (row, trouble) => {
      const { domain, attempts: tries } = row;
      system.log.warn("domain check failed, will retry", { domain, tries, problem: toProblem(trouble) });
      const dueAt = system.now() + (trouble.outcome === "failed" ? tryAgainMs : 0);
      await store.write((db) => releaseClaim(db, "domains", row, { dueAt }));
    },
    giveUp: async (row, why) => {
      const fields = { domain: row.domain, problem: toProblem(why) };
      system.log.error("domain check given up until the next hour", fields);
      await store.write((db) => finishClaim(db, "domains", row, toNextSweep(system.now(), ownPlaceMs)));
    },
    putBack: (row, _error, until) => store.write((db) => finishClaim(db, "domains", row, until)),
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
        system.log.error("domain check failed", { domain: domainId, problem: messageOf(error) }),
      );
      await waitWithTimeout(withinMs, work);
      patience.abort();
    },
    checkOnce: async (named) => {
      clearTimeout(idle);
      idle = undefined;
      const { domain } = named;
      const input = { domain, configured: [], certificates: [], evidence: null, ...(await options.learn(named)) };
      const outcome = await thread.run({ kind: "domain", input, watch: null, kept: null, fresh: true });
      if (outcome.outcome !== "answer" || outcome.answer.report === null) return null;
      return parseDomainReport(decodeReport(outcome.answer.report));
    },
    sweep: queue.untilIdle,
    lastSweep: sweeps.last,
  };
}

function toProblem(why: Trouble | Killed): string {
  if (why.outcome === "killed") return "the process crashed repeatedly";
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
  // Stop if another process has checked it meanwhile.
  while (before !== undefined && checkedAt === before && !givenUp.aborted) {
    const underWay = hasJoined ? undefined : queue.find(id);
    if (underWay) {
      hasJoined = true;
      await underWay;
      // Its result may not count, because the selector was changed meanwhile.
      checkedAt = await readCheckedAt(store.read, id);
      continue;
    }
    await thread.warmUp();
    const lease = { now: system.now(), owner, leaseMs };
    const row = await store.write((db) => claimDomainNow(db, { id, checkedAt: before }, lease));
    if (row) return await queue.begin({ ...row, fresh: true });
    await pause(pollEveryMs);
    checkedAt = await readCheckedAt(store.read, id);
  }
}

// A sweep starts when a domain is due and ends when none is due or in progress. It starts a limited number of domains
// per second.

/** Started at once, so a few domains are done in a moment. */
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
    /** Time until the next domains may start. */
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

/** Twice the longest interval, because clocks of two processes differ. */
const farAheadMs = 2 * hourMs;
const recalledAtOnce = 500;

/** Every domain is due within the hour. A later time was written before the clock was set back. */
async function recallFarOnes({ store, system }: Pick<CheckTerms, "store" | "system">): Promise<void> {
  const now = system.now();
  const latest = now + farAheadMs;
  while (await hasDomainDueAfter(store.read, latest))
    await store.write((db) => bringForward(db, { latest, now, limit: recalledAtOnce }));
}
