// The loop behind all background work: tests, domains, alerts, chores, mailboxes. Pending work is in the database and
// claimed there (platform/work/claims.ts), so that it survives restarts and is shared by processes. This file has the loop and,
// on top of it, the queue for jobs in a thread with its crash rules.

import { setImmediate as nextRound } from "node:timers/promises";
import { Cron } from "croner";
import { messageOf, Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";
import type { Lease, Ticket } from "./claims.ts";
import { createServeRow, type ServeRow } from "./serve-row.ts";
import { waitWithTimeout } from "./timeout.ts";

/** For hourly and recurring work. */
export const everyMinute = "* * * * *";

export type WorkLoop = {
  readonly start: () => void;
  /** There may be new work. */
  readonly kick: () => void;
  /** Repeated calls have no effect until it fires. */
  readonly kickAfter: (ms: number) => void;
  /** It counts as in flight until it ends, then `onEnd` is called. What it throws is no row's fault, and polls report it. */
  readonly begin: (id: string, work: () => Promise<unknown>, onEnd: () => void) => Promise<void>;
  readonly find: (id: string) => Promise<void> | undefined;
  readonly count: () => number;
  /** Each row of its work goes through this, so that one that fails stops no other. */
  readonly serve: ServeRow;
  /** Polls at once. Resolves when no work is pending or in flight, or the loop was stopped. */
  readonly untilIdle: () => Promise<void>;
  /** Aborted when no more work may start. */
  readonly stopping: AbortSignal;
  /**
   * Starts no more work, waits up to `withinMs` for work in flight, then breaks off the rest, which returns its claims.
   */
  readonly stop: (withinMs: number) => Promise<void>;
};

export type WorkLoopOptions = {
  /** Starts due work. Polls never overlap. A failed poll is repeated at the next kick or tick. */
  readonly poll: () => Promise<void>;
  /** Milliseconds, or a cron pattern for a fixed minute. */
  readonly every: number | string;
  readonly system: Pick<System, "now" | "log">;
  /** Logged once when polling or a row fails, and once when it works again. */
  readonly words: { readonly trouble: string; readonly over: string };
  /** Makes work in flight end soon, and stop waits for that. Without it, the process may exit during work. */
  readonly breakOff?: () => Promise<void>;
};

export function createWorkLoop({ poll, every, system, words, breakOff }: WorkLoopOptions): WorkLoop {
  const reportTrouble = createTroubleReporter(system.log, words);
  const inFlight = new Set<{ readonly id: string; readonly done: Promise<void> }>();
  const stop = new AbortController();
  const idle = new Set<() => void>();
  let timer: Disposable | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isKicked = false;

  function kick(): void {
    isKicked = true;
    if (round || stop.signal.aborted) return;
    isKicked = false;
    round = poll()
      .then(() => reportTrouble(null), reportTrouble)
      .finally(() => {
        round = undefined;
        if (isKicked) kick();
        notifyIdle();
      });
  }

  function notifyIdle(): void {
    if (!stop.signal.aborted && (round || alarm || inFlight.size > 0)) return;
    for (const resolve of idle) resolve();
    idle.clear();
  }

  async function untilEnded(): Promise<void> {
    await round;
    await Promise.all([...inFlight].map(({ done }) => done));
  }

  return {
    start: () => {
      timer = startTimer(every, kick);
      kick();
    },
    kick,
    kickAfter: (ms) => {
      alarm ??= setTimeout(() => {
        alarm = undefined;
        kick();
      }, ms).unref();
    },
    begin: (id, work, onEnd) => {
      const end = () => {
        inFlight.delete(job);
        onEnd();
      };
      const job = { id, done: work().then(nothing, nothing).finally(end) };
      inFlight.add(job);
      return job.done;
    },
    find: (id) => inFlight.values().find((job) => job.id === id)?.done,
    count: () => inFlight.size,
    serve: createServeRow(system, words.trouble),
    untilIdle: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      idle.add(resolve);
      kick();
      if (stop.signal.aborted) notifyIdle();
      await promise;
    },
    stopping: stop.signal,
    stop: async (withinMs) => {
      stop.abort();
      timer?.[Symbol.dispose]();
      clearTimeout(alarm);
      const ended = untilEnded();
      await waitWithTimeout(withinMs, ended);
      if (breakOff) await breakOff().then(() => ended);
      notifyIdle();
    },
  };
}

function nothing(): void {}

function startTimer(every: number | string, tick: () => void): Disposable {
  if (typeof every === "number") return setInterval(tick, every).unref();
  const cron = new Cron(every, { unref: true, utcOffset: 0 }, tick);
  return { [Symbol.dispose]: () => cron.stop() };
}

function createTroubleReporter(log: System["log"], words: WorkLoopOptions["words"]): (error: unknown) => void {
  let reported: string | null = null;
  return (error) => {
    const problem = error === null ? null : messageOf(error);
    if (problem === reported) return;
    reported = problem;
    if (problem === null) log.info(words.over);
    else log.error(words.trouble, { problem }, error instanceof Refusal ? undefined : error);
  };
}

// Runs jobs for claimed rows in a thread. A job can crash the thread or the whole process together with all jobs in
// flight, and it is unknown which one did it. Hence these rules:
// 1. An attempt is counted with the claim, before the job starts, so that even a job that kills the process is counted.
// 2. A job in flight during a crash is retried with others, `triesInCompany` times in total. Then it is a suspect.
// 3. A suspect runs alone. If the thread dies now, the job did it, and it is given up with the reason. Other jobs come
// first, so that a job that crashes every start does not block them. A suspect waits for at most `mostPassing` others.
// 4. A crash of the process proves less, because an operator may have killed it. A suspect is given up only after
// `maxTriesAlone` such crashes alone, so that no restart loop is endless.
// 5. When we stop, interrupted jobs are returned as if they had never been claimed.
// 6. Claims that cannot be returned, because the process died or the database fails, expire with their lease.

export const triesInCompany = 2;
const maxTriesAlone = 10;
const mostPassing = 1_000;

export type How = { readonly isAlone: boolean; readonly stopping: AbortSignal };

/** Why a job did not finish. */
type Trouble = { readonly outcome: string };
/** We ended the thread to stop. */
export type Closed = { readonly outcome: "closed" };
/** The process died this many times while the job ran alone. */
export type Killed = { readonly outcome: "killed"; readonly times: number };

type JobQueueOptions<Row extends Ticket, Waiting extends { attempts: number }, T extends Trouble> = Omit<
  WorkLoopOptions,
  "poll" | "breakOff"
> & {
  readonly thread: { readonly warmUp: () => Promise<void>; readonly close: () => Promise<void> };
  /** Concurrent jobs. */
  readonly places: number;
  /** Claimed together under load, because each claim is a write. */
  readonly handful: number;
  /** How long to wait before starting more. */
  readonly restMs: () => number;
  /** Lists due, unclaimed rows in order. Reading is cheap, and usually there is nothing to claim. */
  readonly peek: (limit: number) => Promise<readonly Waiting[]>;
  /** How many of these may start now. */
  readonly allow: (waiting: readonly Waiting[]) => number;
  readonly claim: (which: Pick<Lease, "limit" | "triedAtMost" | "triedAtLeast">) => Promise<readonly Row[]>;
  /** How often this suspect was tried alone, including now. */
  readonly triesAlone: (row: Row) => number;
  /** Does the job and stores its result, or returns why there is none. */
  readonly run: (row: Row, how: How) => Promise<T | Closed | undefined>;
  /** Undoes the claim. */
  readonly giveBack: (row: Row, how: Pick<How, "isAlone">) => Promise<void>;
  readonly retry: (row: Row, trouble: T) => Promise<void>;
  readonly giveUp: (row: Row, why: T | Killed) => Promise<void>;
  /** Reading or writing failed. The row may be due again from `until`. */
  readonly putBack: (row: Row, error: unknown, until: number) => Promise<unknown>;
};

export type JobQueue<Row> = Omit<WorkLoop, "begin" | "kickAfter"> & {
  /** Starts a job that was claimed elsewhere for a waiting user. */
  readonly begin: (row: Row) => Promise<void>;
};

export function createJobQueue<Row extends Ticket, Waiting extends { attempts: number }, T extends Trouble>(
  options: JobQueueOptions<Row, Waiting, T>,
): JobQueue<Row> {
  const { thread, places, handful } = options;
  const loop = createWorkLoop({ ...options, poll, breakOff: thread.close });
  const { stopping } = loop;
  /** "suspect": start nothing until a suspect has run. "alone": a suspect is running. */
  let turn: "others" | "suspect" | "alone" = "others";
  /** More jobs are due than had room. */
  let isMore = false;
  /** When it last looked, nothing was left. What became due since kicks the loop. */
  let isEmpty = false;
  /** Jobs started while a suspect waits. */
  let passing = 0;

  async function attempt(row: Row, how: How): Promise<void> {
    const isKiller = how.isAlone && options.triesAlone(row) > maxTriesAlone;
    if (isKiller) return await options.giveUp(row, { outcome: "killed", times: maxTriesAlone });
    const trouble = await options.run(row, how);
    if (trouble === undefined) return;
    if (isClosed(trouble)) await options.giveBack(row, how);
    else if (how.isAlone) await options.giveUp(row, trouble);
    else await options.retry(row, trouble);
    // Only now can it be found.
    isEmpty = false;
    loop.kick();
  }

  function begin(row: Row, isAlone = false): Promise<void> {
    const onEnd = () => {
      if (isAlone) turn = "others";
      if (!isEmpty || loop.count() === 0) loop.kick();
    };
    const how = { isAlone, stopping };
    const putBack = (error: unknown, until: number) => options.putBack(row, error, until);
    return loop.begin(row.id, () => loop.serve(row.id, () => attempt(row, how), putBack), onEnd);
  }

  async function claim(which: Parameters<typeof options.claim>[0]): Promise<readonly Row[]> {
    // Warm up first, so that a failed start does not count as an attempt.
    await thread.warmUp();
    return stopping.aborted ? [] : await options.claim(which);
  }

  async function beginOthers(others: readonly Waiting[], free: number): Promise<void> {
    const limit = options.allow(others.slice(0, free));
    isMore = others.length > limit;
    if (limit === 0) return;
    passing += limit;
    for (const row of await claim({ limit, triedAtMost: triesInCompany - 1 })) {
      if (stopping.aborted) await options.giveBack(row, { isAlone: false });
      else void begin(row);
      // One per event loop turn, because loading a job blocks the main thread for a moment.
      await nextRound();
    }
  }

  async function beginSuspect(): Promise<void> {
    const [row] = await claim({ limit: 1, triedAtLeast: triesInCompany });
    passing = 0;
    turn = row ? "alone" : "others";
    if (row && stopping.aborted) await options.giveBack(row, { isAlone: true });
    else if (row) void begin(row, true);
  }

  function hasPlaces(): boolean {
    const free = places - loop.count();
    if (turn === "others") return free >= (isMore ? handful : 1);
    return turn === "suspect" && free === places;
  }

  function chooseTurn(others: number, suspects: number): void {
    if (suspects === 0) {
      passing = 0;
      turn = "others";
    } else if (others === 0 || passing >= mostPassing) turn = "suspect";
  }

  async function poll(): Promise<void> {
    isEmpty = false;
    if (!hasPlaces()) return;
    const restMs = options.restMs();
    if (restMs > 0) return loop.kickAfter(restMs);
    const free = places - loop.count();
    const waiting = await options.peek(2 * places);
    const others = waiting.filter(({ attempts }) => attempts < triesInCompany);
    chooseTurn(others.length, waiting.length - others.length);
    if (turn === "others") await beginOthers(others, free);
    else if (hasPlaces()) await beginSuspect();
    isEmpty = others.length === waiting.length && !isMore;
  }

  return { ...loop, begin: (row) => begin(row) };
}

function isClosed(trouble: Trouble): trouble is Closed {
  return trouble.outcome === "closed";
}
