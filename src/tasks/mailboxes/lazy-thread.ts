// The thread that watches seed mailboxes, there only while there are any: an installation without is to pay nothing.

import type { MailboxNews, MailboxOrder } from "./messages.ts";

type MailboxThread = {
  readonly order: (order: MailboxOrder) => void;
  /** Resolves when it has ended; nothing is told any more. */
  readonly close: () => Promise<void>;
};

/** Once it resolves, what was told is kept: a thread that is made anew may go on from there. Never rejects. */
export type HearNews = (news: MailboxNews) => Promise<void>;
export type OpenMailboxThread = (onNews: HearNews) => MailboxThread;

export type LazyMailboxThread = {
  /** Opens the thread, unless the order is to stop something. */
  readonly order: (order: MailboxOrder) => void;
  /** Nothing is watched: it ends after a while, unless something is ordered again. */
  readonly rest: () => void;
  readonly close: () => Promise<void>;
};

const idleMs = 60_000;

export function createLazyMailboxThread(open: OpenMailboxThread, onNews: HearNews): LazyMailboxThread {
  let thread: MailboxThread | null = null;
  let idle: NodeJS.Timeout | null = null;

  function stay(): void {
    if (idle) clearTimeout(idle);
    idle = null;
  }

  async function close(): Promise<void> {
    stay();
    const ending = thread;
    thread = null;
    await ending?.close();
  }

  return {
    order: (order) => {
      if (order.order === "drop") {
        thread?.order(order);
        return;
      }
      stay();
      thread ??= open(onNews);
      thread.order(order);
    },
    rest: () => {
      if (thread) idle ??= setTimeout(close, idleMs).unref();
    },
    close,
  };
}
