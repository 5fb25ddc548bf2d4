// The loop under everything that is worked off: tests, domains, alerts, chores, mailboxes. What waits is in the database,
// and is claimed there (store/claims.ts), so that a restart goes on where it was and several processes share the work.
// Here are the loop itself, and on top of it the queue of jobs that a thread does, with the rules for crashes.

import { setImmediate as nextRound } from "node:timers/promises";
import { Cron } from "croner";
import { messageOf, Refusal } from "../errors.ts";
import type { Lease, Ticket } from "../store/claims.ts";
import type { System } from "../system/system.ts";
import { waitWithTimeout } from "./timeout.ts";

/** For what has a place within the hour, and for recurring work. */
export const everyMinute = "* * * * *";

export type WorkLoop = {
  readonly start: () => void;
  /** There is something new to do. */
  readonly kick: () => void;
  /** Once, however often it is asked for meanwhile. */
  readonly kickAfter: (ms: number) => void;
  /** `work` never rejects. In flight until it is over; `onEnd` is called as soon as its place is free. */
  readonly begin: (id: string, work: () => Promise<void>, onEnd: () => void) => Promise<void>;
  readonly find: (id: string) => Promise<void> | undefined;
  readonly count: () => number;
  /** Looks at once, and resolves when there is nothing left to do, in flight or waiting, or when the loop was stopped. */
  readonly untilIdle: () => Promise<void>;
  /** Aborted: nothing more is begun. */
  readonly stopping: AbortSignal;
  /** Begins no more, waits at most `withinMs` for what is in flight, breaks the rest off, which gives itself back. */
  readonly stop: (withinMs: number) => Promise<void>;
};

export type WorkLoopOptions = {
  /** Begins what is due; one look at a time. One that fails is repeated with the next kick or tick. */
  readonly look: () => Promise<void>;
  /** Milliseconds, or a pattern of cron where the minute of the clock matters. */
  readonly every: number | string;
  readonly log: System["log"];
  /** What the log says when a look fails, and when that is over: once each. */
  readonly words: { readonly trouble: string; readonly over: string };
  /** Makes whatever is still in flight end soon, which a stop then waits for. Without it, the process ends in the midst. */
  readonly breakOff?: () => Promise<void>;
};

export function createWorkLoop({ look, every, log, words, breakOff }: WorkLoopOptions): WorkLoop {
  const tellTrouble = createTroubleTeller(log, words);
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
    round = look()
      .then(() => tellTrouble(null), tellTrouble)
      .finally(() => {
        round = undefined;
        if (isKicked) kick();
        tellIdle();
      });
  }

  function tellIdle(): void {
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
      const job = { id, done: work().finally(end) };
      inFlight.add(job);
      return job.done;
    },
    find: (id) => inFlight.values().find((job) => job.id === id)?.done,
    count: () => inFlight.size,
    untilIdle: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      idle.add(resolve);
      kick();
      if (stop.signal.aborted) tellIdle();
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
      tellIdle();
    },
  };
}

function startTimer(every: number | string, tick: () => void): Disposable {
  if (typeof every === "number") return setInterval(tick, every).unref();
  const cron = new Cron(every, { unref: true, utcOffset: 0 }, tick);
  return { [Symbol.dispose]: () => cron.stop() };
}

function createTroubleTeller(log: System["log"], words: WorkLoopOptions["words"]): (error: unknown) => void {
  let told: string | null = null;
  return (error) => {
    const problem = error === null ? null : messageOf(error);
    if (problem === told) return;
    told = problem;
    if (problem === null) log.info(words.over);
    else log.error(words.trouble, { problem }, error instanceof Refusal ? undefined : error);
  };
}

// Jobs that a thread does for claimed rows. A job can end the thread, or the whole process, and takes down whatever is in
// flight with it. Nobody knows which of them was to blame, so these are the rules:
//
// 1. The attempt is counted with the claim, before the job begins. A job that kills its process is known by its number.
// 2. A job that was in flight at a death is tried again in company, `triesInCompany` times in all. Then it is a suspect.
// 3. A suspect is tried alone: it is claimed when nothing is in flight, and nothing begins beside it. If the thread dies
//    now, the job did it: it is given up, with the reason. Others come first, so that a job that kills the process at each
//    start keeps nobody waiting for ever; but a suspect waits for `mostPassing` others at most.
// 4. The death of the whole process proves less, because an operator may have killed it. Only a suspect that was in flight
//    alone at `maxTriesAlone` of them is given up, so that no restart loop is endless.
// 5. Our own stop is nobody's fault: what it breaks off is given back as if it had never been claimed.
// 6. What nobody gives back, because the process is gone or the database takes no writes, is free when its lease is over.

export const triesInCompany = 2;
const maxTriesAlone = 10;
const mostPassing = 1_000;

export type How = { readonly isAlone: boolean; readonly stopping: AbortSignal };

/** Why a job came to no end. */
type Trouble = { readonly outcome: string };
/** We ended the thread ourselves, to stop. */
export type Closed = { readonly outcome: "closed" };
/** The process died so often while this job was in flight alone. */
export type Killed = { readonly outcome: "killed"; readonly times: number };

type JobQueueOptions<Row extends Ticket, Waiting extends { attempts: number }, T extends Trouble> = Omit<
  WorkLoopOptions,
  "look" | "breakOff"
> & {
  readonly thread: { readonly warmUp: () => Promise<void>; readonly close: () => Promise<void> };
  /** Jobs in flight at once. */
  readonly places: number;
  /** Claimed together while more waits than there are places: each claim is a write. */
  readonly handful: number;
  /** For how long nothing should be begun. */
  readonly restMs: () => number;
  /** What is due and unclaimed, in its order. A read, because mostly there is nothing to do. */
  readonly peek: (limit: number) => Promise<readonly Waiting[]>;
  /** How many of these may begin now. */
  readonly allow: (waiting: readonly Waiting[]) => number;
  readonly claim: (which: Pick<Lease, "limit" | "triedAtMost" | "triedAtLeast">) => Promise<readonly Row[]>;
  /** How often this claimed suspect was tried alone, this time included. */
  readonly triesAlone: (row: Row) => number;
  /** Does the job, and writes what came of it; or answers why nothing did. */
  readonly run: (row: Row, how: How) => Promise<T | Closed | undefined>;
  /** As if it had never been claimed. */
  readonly giveBack: (row: Row, how: Pick<How, "isAlone">) => Promise<void>;
  readonly retry: (row: Row, trouble: T) => Promise<void>;
  readonly giveUp: (row: Row, why: T | Killed) => Promise<void>;
  /** Something could not be read or written. Never rejects. */
  readonly onError: (row: Row, error: unknown) => Promise<void>;
};

export type JobQueue<Row> = Omit<WorkLoop, "begin" | "kickAfter"> & {
  /** One that was claimed elsewhere, because somebody waits for it. */
  readonly begin: (row: Row) => Promise<void>;
};

export function createJobQueue<Row extends Ticket, Waiting extends { attempts: number }, T extends Trouble>(
  options: JobQueueOptions<Row, Waiting, T>,
): JobQueue<Row> {
  const { thread, places, handful } = options;
  const loop = createWorkLoop({ ...options, look, breakOff: thread.close });
  const { stopping } = loop;
  /** "suspect": nothing begins until one was tried. "alone": it is in flight. */
  let turn: "others" | "suspect" | "alone" = "others";
  /** More of the others wait than there was room for. */
  let isMore = false;
  /** How many others have begun while a suspect waited. */
  let passing = 0;

  async function attempt(row: Row, how: How): Promise<void> {
    try {
      const isKiller = how.isAlone && options.triesAlone(row) > maxTriesAlone;
      if (isKiller) return await options.giveUp(row, { outcome: "killed", times: maxTriesAlone });
      const trouble = await options.run(row, how);
      if (trouble === undefined) return;
      if (isClosed(trouble)) await options.giveBack(row, how);
      else if (how.isAlone) await options.giveUp(row, trouble);
      else await options.retry(row, trouble);
    } catch (error) {
      await options.onError(row, error);
    }
  }

  function begin(row: Row, isAlone = false): Promise<void> {
    const onEnd = () => {
      if (isAlone) turn = "others";
      loop.kick();
    };
    return loop.begin(row.id, () => attempt(row, { isAlone, stopping }), onEnd);
  }

  async function claim(which: Parameters<typeof options.claim>[0]): Promise<readonly Row[]> {
    // An attempt counts from when it can be made.
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
      // Each in a round of its own, because what is read for one keeps the main thread busy.
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

  async function look(): Promise<void> {
    if (!hasPlaces()) return;
    const restMs = options.restMs();
    if (restMs > 0) return loop.kickAfter(restMs);
    const free = places - loop.count();
    const waiting = await options.peek(2 * places);
    const others = waiting.filter(({ attempts }) => attempts < triesInCompany);
    chooseTurn(others.length, waiting.length - others.length);
    if (turn === "others") await beginOthers(others, free);
    else if (hasPlaces()) await beginSuspect();
  }

  return { ...loop, begin: (row) => begin(row) };
}

function isClosed(trouble: Trouble): trouble is Closed {
  return trouble.outcome === "closed";
}
