// Watches a mailbox until it is dropped. Failed sessions are retried with growing pauses. A refused login gets few
// retries, because servers lock out clients that keep trying.

import type { Limiter } from "../../../analyzer/facts/limiter.ts";
import type { TargetGuard } from "../../../platform/system/target-guard.ts";
import { connectMailbox } from "./connection.ts";
import type { FolderMark, MailboxLogin, MailboxNews, MailboxOrder } from "./messages.ts";
import { describeTrouble, type MailboxTrouble } from "./problems.ts";
import { FolderRenewed, runSession } from "./session.ts";

type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;

type WatchTerms = {
  readonly report: (news: MailboxNews) => void;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly guard: TargetGuard;
  readonly ca: string | null;
  readonly patienceMs: number;
  /** Limits how many mailboxes connect at once. */
  readonly door: Limiter;
  /** Limits how many whole messages are in memory at once. */
  readonly desk: Limiter;
};

export type MailboxWatch = {
  readonly useLogin: (login: MailboxLogin) => void;
  readonly hurry: (until: number) => void;
  /** The last message of that folder is stored. */
  readonly noteKept: (path: string) => void;
  readonly close: () => void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** A session that lasted this long was healthy, so its end starts a new count of failures. */
const wellAfterMs = 60_000;
/** Refusals without a reason code may be a temporary problem of the server. */
const maxVagueRefusals = 3;
const longestAtDoorMs = 600_000;
/** A connection attempt frees its slot after this, so that slow servers do not block others. */
const longestInDoorMs = 5_000;

export function createMailboxWatch(order: WatchOrder, terms: WatchTerms): MailboxWatch {
  const end = new AbortController();
  const pause = createPause();
  const clock = createRoundClock(terms.now, terms.chance);
  const state: State = {
    login: order.login,
    marks: new Map(order.marks.map((mark) => [mark.path, mark])),
    failures: 0,
    refusals: 0,
  };
  const receipts = createReceipts();
  const { untilKept } = receipts;
  const attempt = createAttempt(order, terms, { state, signal: end.signal, untilRound: clock.untilRound, untilKept });

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      const trouble = await attempt();
      if (end.signal.aborted) return;
      if (!trouble) continue;
      const next = decide(order, state, trouble);
      if (next.report) terms.report({ news: "trouble", id: order.id, ...next.report });
      // Random jitter spreads the mailboxes that one server disconnected together.
      await pause.wait(next.pauseMs === null ? null : next.pauseMs * (0.5 + terms.chance() / 2));
    }
  }

  void run();
  return {
    useLogin: (given) => {
      state.login = given;
      pause.end();
    },
    hurry: clock.hurry,
    noteKept: receipts.note,
    close: () => {
      end.abort();
      pause.end();
    },
  };
}

type State = {
  login: MailboxLogin;
  readonly marks: Map<string, FolderMark>;
  /** In a row. */
  failures: number;
  refusals: number;
};

type Running = {
  readonly state: State;
  readonly signal: AbortSignal;
  readonly untilRound: RoundClock["untilRound"];
  readonly untilKept: Receipts["untilKept"];
};

/** Runs one session. Returns undefined when the next may start at once. */
function createAttempt(
  order: WatchOrder,
  { now, report, ca, patienceMs, guard, door, desk }: WatchTerms,
  { state, signal, untilRound, untilKept }: Running,
): () => Promise<MailboxTrouble | undefined> {
  const { id, server, searchesTabs, reading = null } = order;
  const limit = reading === null ? {} : { maxMessageBytes: reading.maxBytes };
  const findAddresses = order.isOperators ? null : guard;
  return async () => {
    const leave = await enter(door, signal);
    if (signal.aborted) return void leave();
    let connectedAt: number | undefined;
    const onConnected = () => {
      connectedAt = now();
      state.refusals = 0;
      leave();
    };
    const connect = (idles: boolean) =>
      connectMailbox({ server, login: state.login, ca, patienceMs, findAddresses, idles, ...limit });
    try {
      const { marks } = state;
      await runSession({
        id,
        marks,
        report,
        now,
        searchesTabs,
        connect,
        untilRound,
        onConnected,
        signal,
        reading,
        desk,
        untilKept,
      });
      state.failures = 0;
      return undefined;
    } catch (error) {
      const isWell = connectedAt !== undefined && now() - connectedAt >= wellAfterMs;
      state.failures = isWell ? 1 : state.failures + 1;
      const isNoNews = error instanceof FolderRenewed || (connectedAt !== undefined && state.failures === 1);
      return isNoNews ? quiet : describeTrouble(toWhere(server), error);
    } finally {
      leave();
    }
  };
}

/** A single lost connection is retried without a report. */
const quiet: MailboxTrouble = { problem: "", kind: "other", isFinal: false };

/** Returns a function that frees the slot and may be called repeatedly. */
async function enter(door: Limiter, signal: AbortSignal): Promise<() => void> {
  while (!(await door.enter(longestAtDoorMs))) if (signal.aborted) return () => {};
  let isInside = true;
  const leave = () => {
    clearTimeout(timer);
    if (isInside) door.leave();
    isInside = false;
  };
  const timer = setTimeout(leave, longestInDoorMs);
  return leave;
}

function toWhere({ host, port }: WatchOrder["server"]): string {
  return `${host}:${port}`;
}

type Decision = {
  readonly report: Omit<Extract<MailboxNews, { readonly news: "trouble" }>, "news" | "id"> | null;
  /** Null: until a new login arrives. */
  readonly pauseMs: number | null;
};

function decide(order: WatchOrder, state: State, trouble: MailboxTrouble): Decision {
  const { problem } = trouble;
  if (trouble.kind !== "login") {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(Math.max(state.failures - 1, 0), 20));
    const report = trouble === quiet ? null : { problem, isFinal: false, needsLogin: false };
    return { report, pauseMs };
  }
  state.refusals++;
  const isLast = state.refusals >= maxVagueRefusals;
  if (!("password" in state.login)) {
    // Access tokens expire and are renewed. Only the third refusal in a row is final.
    const words = `${toWhere(order.server)} rejected the access token.`;
    return { report: { problem: words, isFinal: isLast, needsLogin: !isLast, isRefusal: true }, pauseMs: null };
  }
  const isFinal = isLast || trouble.isFinal;
  const report = { problem, isFinal, needsLogin: false, isRefusal: true } as const;
  return { report, pauseMs: isFinal ? null : longestPauseMs };
}

// Controls when a mailbox is polled next.

const hurriedMs = 3_000;
const unhurriedMs = 60_000;

type RoundClock = {
  readonly untilRound: (signal: AbortSignal) => Promise<void>;
  readonly hurry: (until: number) => void;
};

/** Every few seconds while a test waits, otherwise about every minute. */
function createRoundClock(now: () => number, chance: () => number): RoundClock {
  const pause = createPause();
  let hurriedUntil = 0;
  return {
    untilRound: async (signal) => {
      if (signal.aborted) return;
      signal.addEventListener("abort", pause.end, { once: true });
      await pause.wait(now() < hurriedUntil ? hurriedMs : unhurriedMs * (0.75 + chance() / 4));
      signal.removeEventListener("abort", pause.end);
    },
    hurry: (until) => {
      hurriedUntil = Math.max(hurriedUntil, until);
      pause.end();
    },
  };
}

type Receipts = {
  readonly untilKept: (path: string, signal: AbortSignal) => Promise<void>;
  readonly note: (path: string) => void;
};

/** One message of each folder waits at a time. */
function createReceipts(): Receipts {
  const waiting = new Map<string, () => void>();
  return {
    untilKept: (path, signal) =>
      new Promise((resolve) => {
        const settle = () => {
          signal.removeEventListener("abort", settle);
          resolve();
        };
        waiting.set(path, settle);
        signal.addEventListener("abort", settle);
        if (signal.aborted) settle();
      }),
    note: (path) => {
      waiting.get(path)?.();
      waiting.delete(path);
    },
  };
}

type Pause = {
  /** Null: wait until `end` is called. */
  readonly wait: (ms: number | null) => Promise<void>;
  readonly end: () => void;
};

/** For one waiter at a time. Leaves no timers behind. */
function createPause(): Pause {
  let end = () => {};
  return {
    wait: async (ms) => {
      const over = Promise.withResolvers<void>();
      end = over.resolve;
      const timer = ms === null ? undefined : setTimeout(over.resolve, ms);
      await over.promise;
      clearTimeout(timer);
    },
    end: () => end(),
  };
}
