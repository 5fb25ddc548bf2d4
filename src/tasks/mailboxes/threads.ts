// The thread that watches seed mailboxes, seen from the main one: there while a mailbox is watched, and made anew when it
// dies, with all that it was told.

import type { Worker } from "node:worker_threads";
import type { Config } from "../../config.ts";
import { messageOf } from "../../errors.ts";
import type { FolderMark, MailboxNews, MailboxOrder } from "./messages.ts";
import type { MailboxThreadSetup } from "./thread.ts";

export type MailboxThread = {
  readonly order: (order: MailboxOrder) => void;
  readonly close: () => Promise<void>;
};

type MailboxThreadOptions = {
  readonly spawn: () => Worker;
  /** One after the other for each mailbox. When it resolves, what was told is kept; what it fails at is read once more. */
  readonly onNews: (news: MailboxNews) => void | Promise<void>;
  /** It died, and is made anew in a moment. */
  readonly onDeath?: (why: string) => void;
  /** Before it is made anew; doubled with each death in a row. */
  readonly restartMs?: number;
};

type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;

/** Three connections need a few hundred KB; beyond this something is wrong, and the process must not pay for it. */
export const mailboxThreadLimits = { maxOldGenerationSizeMb: 512 };

const longestRestartMs = 60_000;
/** News of one mailbox that wait to be kept: more is no mailbox's, or more than we can keep up with. */
const mostUnkept = 40;
/** Who could not write a moment ago will not be able to at once. */
const rereadFactor = 10;

/** Of the settings that the thread's entry takes. */
export function toMailboxThreadSetup(config: Config): MailboxThreadSetup {
  const { dnsServers, dnsTimeoutMs, allowPrivateTargets } = config;
  return { dnsServers, dnsTimeoutMs, allowPrivateTargets };
}

export function createMailboxThread(options: MailboxThreadOptions): MailboxThread {
  const { spawn, onNews, onDeath = () => {}, restartMs = 1_000 } = options;
  const memory = createMemory();
  const keeping = createKeeping({
    onNews,
    onKept: memory.keep,
    onUnkept: (id) => {
      worker?.postMessage({ order: "drop", id } satisfies MailboxOrder);
      setTimeout(() => {
        keeping.forget(id);
        const order = memory.get(id);
        if (order) worker?.postMessage(order);
      }, rereadFactor * restartMs).unref();
    },
  });
  let worker: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let deaths = 0;
  let isClosed = false;

  function start(): Worker {
    const started = spawn();
    let why = "it ended";
    started.on("message", (news: MailboxNews) => {
      if (worker === started) takeNews(news);
    });
    started.on("error", (error) => {
      why = messageOf(error);
    });
    started.on("exit", () => {
      if (worker !== started) return;
      worker = undefined;
      onDeath(why);
      const pauseMs = Math.min(longestRestartMs, restartMs * 2 ** Math.min(deaths, 10));
      deaths++;
      if (!memory.isEmpty()) restart = setTimeout(startAgain, pauseMs).unref();
    });
    started.unref();
    worker = started;
    return started;
  }

  function startAgain(): void {
    restart = undefined;
    if (isClosed || worker) return;
    const orders = memory.list();
    if (orders.length === 0) return;
    const started = start();
    for (const order of orders) started.postMessage(order);
  }

  function takeNews(news: MailboxNews): void {
    if (!memory.get(news.id)) return;
    if (news.news === "connected") deaths = 0;
    keeping.take(news);
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    clearTimeout(restart);
    restart = undefined;
    await ended?.terminate();
  }

  return {
    order: (order) => {
      if (isClosed) return;
      memory.take(order);
      if (order.order === "drop") keeping.forget(order.id);
      // Nobody to watch: the thread's memory is free again.
      if (memory.isEmpty()) void end();
      // One that waits to be made anew is told all then.
      else if (!restart) (worker ?? start()).postMessage(order);
    },
    close: async () => {
      isClosed = true;
      await end();
    },
  };
}

/** What a thread that is made anew must be told. */
function createMemory() {
  const watched = new Map<string, WatchOrder>();
  /** Until when, by the mailbox. */
  const hurries = new Map<string, number>();
  const change = (id: string, to: (known: WatchOrder) => WatchOrder) => {
    const known = watched.get(id);
    if (known) watched.set(id, to(known));
  };
  return {
    get: (id: string) => watched.get(id),
    isEmpty: () => watched.size === 0,
    list: (): MailboxOrder[] => [
      ...watched.values(),
      ...[...hurries].map(([id, until]) => ({ order: "hurry", ids: [id], until }) as const),
    ],
    take: (order: MailboxOrder) => {
      if (order.order === "watch") watched.set(order.id, order);
      else if (order.order === "drop") {
        watched.delete(order.id);
        hurries.delete(order.id);
      } else if (order.order === "hurry") for (const id of order.ids) hurries.set(id, order.until);
      else change(order.id, (known) => ({ ...known, login: order.login }));
    },
    keep: (news: MailboxNews) => {
      if (news.news === "trouble") return;
      change(news.id, (known) => {
        if (news.news === "connected") {
          const isThere = ({ path }: FolderMark) => news.folders.some((folder) => folder.path === path);
          return { ...known, marks: known.marks.filter(isThere) };
        }
        const others = known.marks.filter(({ path }) => !news.marks.some((mark) => mark.path === path));
        return { ...known, marks: [...others, ...news.marks] };
      });
    },
  };
}

type KeepingTerms = {
  readonly onNews: MailboxThreadOptions["onNews"];
  readonly onKept: (news: MailboxNews) => void;
  readonly onUnkept: (id: string) => void;
};

/** After news that could not be kept, those that follow are no good either: they begin behind it. */
function createKeeping({ onNews, onKept, onUnkept }: KeepingTerms) {
  const lines = new Map<string, { last: Promise<void>; isBroken: boolean; waiting: number }>();
  return {
    take: (news: MailboxNews) => {
      const line = lines.get(news.id) ?? { last: Promise.resolve(), isBroken: false, waiting: 0 };
      lines.set(news.id, line);
      const giveUp = () => {
        if (line.isBroken) return;
        line.isBroken = true;
        if (lines.get(news.id) === line) onUnkept(news.id);
      };
      const keep = async () => {
        line.waiting -= 1;
        if (line.isBroken) return;
        try {
          await onNews(news);
          if (lines.get(news.id) === line) onKept(news);
        } catch {
          giveUp();
        }
      };
      if (line.waiting >= mostUnkept) giveUp();
      if (line.isBroken) return;
      line.waiting += 1;
      line.last = line.last.then(keep);
    },
    forget: (id: string) => void lines.delete(id),
  };
}
