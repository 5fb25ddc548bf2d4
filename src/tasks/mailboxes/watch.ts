// A mailbox that is watched until it is dropped: sessions one after the other, with growing pauses between those that
// fail. A refused login is not tried again by itself: servers lock those out who hammer.

import type { Limiter } from "../../system/limiter.ts";
import type { TargetGuard } from "../../system/target-guard.ts";
import { connectMailbox } from "./connection.ts";
import type { FolderMark, MailboxLogin, MailboxNews, MailboxOrder } from "./messages.ts";
import { describeTrouble, type MailboxTrouble } from "./problems.ts";
import { FolderRenewed, runSession } from "./session.ts";

type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;

type WatchTerms = {
  readonly tell: (news: MailboxNews) => void;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly guard: TargetGuard;
  readonly ca: string | null;
  readonly patienceMs: number;
  /** How many mailboxes connect at once. */
  readonly door: Limiter;
};

export type MailboxWatch = {
  readonly useLogin: (login: MailboxLogin) => void;
  readonly hurry: (until: number) => void;
  readonly close: () => void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;
/** A session that stood so long was well: what ended it is no part of a row of failures. */
const wellAfterMs = 60_000;
/** Refusals without a code that says why may be a server's bad day. */
const maxVagueRefusals = 3;
const longestAtDoorMs = 600_000;
/** Who has not connected by then waits for the server and costs us nothing: a slow one keeps nobody else waiting. */
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
  const attempt = createAttempt(order, terms, { state, signal: end.signal, untilRound: clock.untilRound });

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      const trouble = await attempt();
      if (end.signal.aborted) return;
      if (!trouble) continue;
      const next = decide(order, state, trouble);
      if (next.told) terms.tell({ news: "trouble", id: order.id, ...next.told });
      // Never all at once, and never together with the others that one server lost.
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
};

/** One session, as long as it lasts; undefined when the next may begin at once. */
function createAttempt(
  order: WatchOrder,
  { now, tell, ca, patienceMs, guard, door }: WatchTerms,
  { state, signal, untilRound }: Running,
): () => Promise<MailboxTrouble | undefined> {
  const { id, server, isGmail } = order;
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
      connectMailbox({ server, login: state.login, ca, patienceMs, findAddresses, idles });
    try {
      const { marks } = state;
      await runSession({ id, marks, tell, now, isGmail, connect, untilRound, onConnected, signal });
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

/** Broken off once and on the way back: nobody needs to know. */
const quiet: MailboxTrouble = { problem: "", kind: "other", isFinal: false };

/** How to leave again, as often as one likes. */
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
  readonly told: Omit<Extract<MailboxNews, { readonly news: "trouble" }>, "news" | "id"> | null;
  /** Null: until there is another login. */
  readonly pauseMs: number | null;
};

function decide(order: WatchOrder, state: State, trouble: MailboxTrouble): Decision {
  const { problem } = trouble;
  if (trouble.kind !== "login") {
    const pauseMs = Math.min(
      longestPauseMs,
      firstPauseMs * 2 ** Math.min(Math.max(state.failures - 1, 0), 20),
    );
    const told = trouble === quiet ? null : { problem, isFinal: false, needsLogin: false };
    return { told, pauseMs };
  }
  state.refusals++;
  const isLast = state.refusals >= maxVagueRefusals;
  if (!("password" in state.login)) {
    // An access token lapses, and who has the consent gets another; a third that is refused says more.
    const words = `${toWhere(order.server)} refuses the access token.`;
    return {
      told: { problem: words, isFinal: isLast, needsLogin: !isLast, isRefusal: true },
      pauseMs: null,
    };
  }
  const isFinal = isLast || trouble.isFinal;
  const told = { problem, isFinal, needsLogin: false, isRefusal: true } as const;
  return { told, pauseMs: isFinal ? null : longestPauseMs };
}

// When a mailbox is looked at next: pauses that can be ended, and the rounds.

const hurriedMs = 3_000;
const unhurriedMs = 60_000;

type RoundClock = {
  readonly untilRound: (signal: AbortSignal) => Promise<void>;
  readonly hurry: (until: number) => void;
};

/** Every few seconds while somebody waits, else every minute. */
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

type Pause = {
  /** Null: until it is ended. */
  readonly wait: (ms: number | null) => Promise<void>;
  readonly end: () => void;
};

/** One who waits at a time; nothing is left behind of a wait that is over. */
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
