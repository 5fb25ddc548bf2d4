// All mailboxes that one thread watches: orders in, news out.

import { createGate } from "../system/gate.ts";
import type { TargetGuard } from "../system/target-guard.ts";
import { createMailboxWatch, type MailboxWatch } from "./mailbox-watch.ts";
import type { MailboxNews, MailboxOrder } from "./mailbox-words.ts";

export type MailboxWatches = {
  readonly take: (order: MailboxOrder) => void;
  readonly close: () => void;
};

export type WatchesOptions = {
  readonly guard: TargetGuard;
  readonly ca: string | null;
  readonly patienceMs: number;
  readonly now: () => number;
  readonly chance: () => number;
  readonly tell: (news: MailboxNews) => void;
};

/** Each has three TLS handshakes before it. */
const connectingAtOnce = 20;

export function createMailboxWatches({ tell, ...options }: WatchesOptions): MailboxWatches {
  const watches = new Map<string, MailboxWatch>();
  const door = createGate(connectingAtOnce);

  function drop(id: string): void {
    watches.get(id)?.close();
    watches.delete(id);
  }

  function watch(order: Extract<MailboxOrder, { readonly order: "watch" }>): void {
    drop(order.id);
    // What a watch says that was dropped meanwhile is of the past.
    const tellIfCurrent = (news: MailboxNews) => {
      if (watches.get(order.id) === started) tell(news);
    };
    const started = createMailboxWatch(order, { ...options, door, tell: tellIfCurrent });
    watches.set(order.id, started);
  }

  return {
    take: (order) => {
      if (order.order === "watch") watch(order);
      else if (order.order === "drop") drop(order.id);
      else if (order.order === "login") watches.get(order.id)?.useLogin(order.login);
      else for (const id of order.ids) watches.get(id)?.hurry(order.until);
    },
    close: () => {
      for (const id of [...watches.keys()]) drop(id);
    },
  };
}
