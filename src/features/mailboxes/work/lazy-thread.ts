// Starts the thread for seed mailboxes when one is connected. Installations without any pay nothing.

import type { MailboxNews, MailboxOrder } from "./messages.ts";
import type { MailboxThread } from "./threads.ts";

/** When it resolves, the news is stored and a new thread may continue from there. Never rejects. */
export type OnNews = (news: MailboxNews) => Promise<void>;
export type OpenMailboxThread = (onNews: OnNews) => MailboxThread;

export type LazyMailboxThread = {
  /** Starts the thread, unless the order only stops a watch. */
  readonly order: (order: MailboxOrder) => void;
  /** Nothing is watched: ends the thread after a while, unless a new order arrives. */
  readonly rest: () => void;
  readonly close: () => Promise<void>;
};

const idleMs = 60_000;

export function createLazyMailboxThread(open: OpenMailboxThread, onNews: OnNews): LazyMailboxThread {
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
