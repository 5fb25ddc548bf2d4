// Entry point of the mailbox thread. It parses data from untrusted servers, so its load and crashes must not affect
// incoming mail or the web app.

import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createLimiter } from "../../../analyzer/facts/limiter.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { createDns } from "../../../platform/system/dns-client.ts";
import { type DnsSettings, toDnsOptions } from "../../../platform/system/real.ts";
import { createHostResolver, createTargetGuard, type TargetGuard } from "../../../platform/system/target-guard.ts";
import type { MailboxNews, MailboxOrder } from "./messages.ts";
import { createMailboxWatch, type MailboxWatch } from "./watch.ts";

export type MailboxThreadSetup = DnsSettings &
  Pick<Config, "allowPrivateTargets"> & {
    /** CA certificates that replace the default ones, which NODE_EXTRA_CA_CERTS extends. */
    readonly mailboxCa?: string;
    /** Upper limit for all commands, on top of their own limits. */
    readonly mailboxPatienceMs?: number;
  };

function listen(port: NonNullable<typeof parentPort>, setup: MailboxThreadSetup): void {
  const now = () => Date.now();
  const resolveHost = createHostResolver(createDns({ ...toDnsOptions(setup), now }));
  const watches = createMailboxWatches({
    guard: createTargetGuard({ allow: setup.allowPrivateTargets, resolveHost }),
    ca: setup.mailboxCa ?? null,
    patienceMs: setup.mailboxPatienceMs ?? Number.POSITIVE_INFINITY,
    now,
    chance: () => Math.random(),
    report: (news) => port.postMessage(news),
  });
  // On Linux priority is per thread; elsewhere it would affect the whole process.
  if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  port.on("message", (order: MailboxOrder) => watches.take(order));
}

// All mailboxes watched by one thread: orders in, news out.

type MailboxWatches = { readonly take: (order: MailboxOrder) => void; readonly close: () => void };

type WatchesOptions = {
  readonly guard: TargetGuard;
  readonly ca: string | null;
  readonly patienceMs: number;
  readonly now: () => number;
  readonly chance: () => number;
  readonly report: (news: MailboxNews) => void;
};

/** Each opens three TLS connections. */
const connectingAtOnce = 20;
/** Each may have up to 10 MiB, here and on its way to the main thread. */
const messagesAtOnce = 4;

function createMailboxWatches({ report, ...options }: WatchesOptions): MailboxWatches {
  const watches = new Map<string, MailboxWatch>();
  const door = createLimiter(connectingAtOnce);
  const desk = createLimiter(messagesAtOnce);

  function drop(id: string): void {
    watches.get(id)?.close();
    watches.delete(id);
  }

  function watch(order: Extract<MailboxOrder, { readonly order: "watch" }>): void {
    drop(order.id);
    // Late news of a dropped watch is ignored.
    const reportIfCurrent = (news: MailboxNews) => {
      if (watches.get(order.id) === started) report(news);
    };
    const started = createMailboxWatch(order, { ...options, door, desk, report: reportIfCurrent });
    watches.set(order.id, started);
  }

  return {
    take: (order) => {
      if (order.order === "watch") watch(order);
      else if (order.order === "drop") drop(order.id);
      else if (order.order === "kept") watches.get(order.id)?.noteKept(order.path);
      else if (order.order === "login") watches.get(order.id)?.useLogin(order.login);
      else for (const id of order.ids) watches.get(id)?.hurry(order.until);
    },
    close: () => {
      for (const id of [...watches.keys()]) drop(id);
    },
  };
}

if (parentPort) listen(parentPort, workerData);
