// Runs the mailbox thread from the main thread while mailboxes are watched. If it dies, it is restarted with all its
// orders.

import type { Worker } from "node:worker_threads";
import { messageOf } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { FolderMark, MailboxNews, MailboxOrder } from "./messages.ts";
import type { MailboxThreadSetup } from "./thread.ts";

export type MailboxThread = { readonly order: (order: MailboxOrder) => void; readonly close: () => Promise<void> };

type MailboxThreadOptions = {
  readonly spawn: () => Worker;
  /**
   * Called in order for each mailbox. After it resolves, the news counts as stored. If it rejects, the messages are
   * read again.
   */
  readonly onNews: (news: MailboxNews) => void | Promise<void>;
  /** The thread died and restarts after a pause. */
  readonly onDeath?: (why: string) => void;
  /** Pause before a restart; doubles with each death in a row. */
  readonly restartMs?: number;
};

type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;

/** Three connections need a few hundred KB. Beyond this limit something is wrong, and only the thread should fail. */
export const mailboxThreadLimits = { maxOldGenerationSizeMb: 512 };

const longestRestartMs = 60_000;
/** Unstored news of one mailbox. More means a flood, or that writing cannot keep up. */
const mostUnkept = 40;
/** Writing just failed, so a retry waits longer than a restart. */
const rereadFactor = 10;

/** Settings for the thread's entry point. */
export function toMailboxThreadSetup(config: Config): MailboxThreadSetup {
  const { dnsServers, dnsTimeoutMs, dnsTrusted, allowPrivateTargets } = config;
  return { dnsServers, dnsTimeoutMs, dnsTrusted, allowPrivateTargets };
}

export function createMailboxThread(options: MailboxThreadOptions): MailboxThread {
  const { spawn, onNews, onDeath = () => {}, restartMs = 1_000 } = options;
  const memory = createMemory();
  const keeping = createKeeping({
    onNews,
    onKept: (news) => noteKept(news, memory, worker),
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
    let why = "thread exited";
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
      // No mailbox left: free the thread's memory.
      if (memory.isEmpty()) void end();
      // During a restart pause nothing is sent, because the new thread gets all orders.
      else if (!restart) (worker ?? start()).postMessage(order);
    },
    close: async () => {
      isClosed = true;
      await end();
    },
  };
}

/** The thread may read the next message of that folder. */
function noteKept(news: MailboxNews, memory: ReturnType<typeof createMemory>, worker: Worker | undefined): void {
  memory.keep(news);
  if (news.news !== "message") return;
  worker?.postMessage({ order: "kept", id: news.id, path: news.marks[0].path } satisfies MailboxOrder);
}

/** Orders to repeat to a restarted thread. */
function createMemory() {
  const watched = new Map<string, WatchOrder>();
  /** End time by mailbox. */
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
      } else if (order.order === "kept") return;
      else if (order.order === "hurry") for (const id of order.ids) hurries.set(id, order.until);
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

/** After a failure, later news of that mailbox is dropped too, because storing it would skip messages. */
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
