// Watches the seed mailboxes of all workspaces. Each is watched by one process, and another takes over if that process
// is gone. A separate thread holds the connections, so that mailbox servers cannot delay incoming mail.
// It uses only the polling and stopping of platform/work/work-loop.ts. A mailbox is not a job that ends: its claim is extended
// while it is watched, a dead thread restarts with all mailboxes, and no mailbox is ever suspect.

import type { Db } from "../../../platform/database/schema.ts";
import { claimDue } from "../../../platform/work/claims.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import { createWorkLoop } from "../../../platform/work/work-loop.ts";
import {
  extendMailboxes,
  giveBackMailboxes,
  hasDueMailbox,
  readHeldMailboxes,
  readNewestTests,
} from "../rows/mailboxes.ts";
import type { IntegrationsTable } from "../tables.ts";
import { type MailboxInFlight, startWatching, type WatchTerms } from "./in-flight.ts";
import { createLazyMailboxThread, type OpenMailboxThread } from "./lazy-thread.ts";
import type { MailboxOrder } from "./messages.ts";
import { createMailboxTrials, type TryMailbox } from "./trials.ts";

export type MailboxWatcher = {
  readonly start: () => void;
  /** A mailbox may have been added or removed. */
  readonly kick: () => void;
  readonly tryOut: TryMailbox;
  /** Stops listening, stores pending news for at most `withinMs`, and releases all claims. */
  readonly stop: (withinMs: number) => Promise<void>;
};

export type MailboxWatcherOptions = Omit<WatchTerms, "order" | "serve"> & {
  readonly openThread: OpenMailboxThread;
  /** Identifies this process in claims. */
  readonly owner: string;
  /** Poll interval; set only by tests. */
  readonly pollEveryMs?: number;
};

const pollEveryMs = 1_000;
/** After this time, other processes take over the mailboxes of a killed process. */
const leaseMs = 60_000;
const extendEveryMs = 20_000;
/** Each uses up to three connections. */
const mostInFlight = 500;

export function createMailboxWatcher(options: MailboxWatcherOptions): MailboxWatcher {
  const { store, system, owner } = options;
  /** By name. */
  const inFlight = new Map<string, MailboxInFlight>();
  const thread = createLazyMailboxThread(options.openThread, async (news) => {
    if (!trials.takeNews(news)) await inFlight.get(news.id)?.takeNews(news);
  });
  const trials = createMailboxTrials(system, thread.order);
  const hurry = createMailboxHurry(thread.order);
  const words = { trouble: "watching seed mailboxes failed", over: "watching seed mailboxes is working again" };
  const loop = createWorkLoop({
    poll,
    every: options.pollEveryMs ?? pollEveryMs,
    system,
    words,
    // Polls end quickly without help.
    breakOff: async () => {},
  });
  let extendAt = 0;
  let count = 0;

  async function poll(): Promise<void> {
    const now = system.now();
    await letLostGo();
    await extend(now);
    await claimMore(now);
    await hurry.update(store.read, [...inFlight.values()], now);
    for (const mailbox of inFlight.values()) mailbox.renewLogin();
    if (inFlight.size + trials.count() === 0) thread.rest();
  }

  /** Disconnected mailboxes and those with a new password are no longer ours. */
  async function letLostGo(): Promise<void> {
    const mailboxes = [...inFlight.values()];
    const ids = mailboxes.map(({ id }) => id);
    const held = await readHeldMailboxes(store.read, owner, ids);
    for (const mailbox of mailboxes) if (held.get(mailbox.id) !== mailbox.attempts) mailbox.letGo();
  }

  async function extend(now: number): Promise<void> {
    if (inFlight.size === 0) extendAt = now + extendEveryMs;
    // If the clock was set back, extend now so that the claims do not expire.
    if (now < extendAt && extendAt - now <= extendEveryMs) return;
    const ids = [...inFlight.values()].map(({ id }) => id);
    await store.write((db) => extendMailboxes(db, owner, ids, now + leaseMs));
    extendAt = now + extendEveryMs;
  }

  async function claimMore(now: number): Promise<void> {
    const limit = mostInFlight - inFlight.size;
    if (limit <= 0 || loop.stopping.aborted || !(await hasDueMailbox(store.read, now))) return;
    const lease = { now, owner, leaseMs, limit };
    for (const row of await store.write((db) => claimDue(db, "integrations", lease))) take(row);
  }

  function take(row: IntegrationsTable): void {
    for (const before of [...inFlight.values()]) if (before.id === row.id) before.letGo();
    const name = `${row.id}/${++count}`;
    const mailbox = startWatching(row, name, {
      ...options,
      order: thread.order,
      serve: loop.serve,
      onWatched: () => hurry.join(mailbox, system.now()),
      onGone: () => inFlight.delete(name),
    });
    inFlight.set(name, mailbox);
  }

  async function stop(withinMs: number): Promise<void> {
    trials.close();
    await loop.stop(withinMs);
    const held = [...inFlight.values()];
    await thread.close();
    await waitWithTimeout(withinMs, Promise.all(held.map(({ settled }) => settled())));
    const ids = held.map(({ id }) => id);
    for (const { letGo } of held) letGo();
    if (ids.length > 0) await store.write((db) => giveBackMailboxes(db, owner, ids));
  }

  return { start: loop.start, kick: loop.kick, tryOut: trials.tryOut, stop };
}

// Polls a workspace's mailboxes more often while a test waits for them. New tests are found in the database, because
// another process or an earlier run may have received them.

/** `name`: the thread's name for the watch. */
type Hurrying = { readonly name: string; readonly workspaceId: string };

type MailboxHurry = {
  readonly update: (db: Db, mailboxes: readonly Hurrying[], now: number) => Promise<void>;
  /** A mailbox is now being watched. */
  readonly join: (mailbox: Hurrying, now: number) => void;
};

const hurryMs = 600_000;
/** Limits orders when mail arrives every second. */
const orderEveryMs = 60_000;

function createMailboxHurry(order: (order: MailboxOrder) => void): MailboxHurry {
  const untilOf = new Map<string, number>();
  return {
    update: async (db, mailboxes, now) => {
      const byWorkspace = Map.groupBy(mailboxes, ({ workspaceId }) => workspaceId);
      for (const id of [...untilOf.keys()]) if (!byWorkspace.has(id)) untilOf.delete(id);
      for (const [id, receivedAt] of await readNewestTests(db, [...byWorkspace.keys()])) {
        // A future time means that the clock was set back.
        const until = Math.min(receivedAt, now) + hurryMs;
        const known = untilOf.get(id) ?? 0;
        if (until <= now || (known > now && until - known < orderEveryMs)) continue;
        untilOf.set(id, until);
        const names = (byWorkspace.get(id) ?? []).map(({ name }) => name);
        order({ order: "hurry", ids: names, until });
      }
    },
    join: ({ name, workspaceId }, now) => {
      const until = untilOf.get(workspaceId) ?? 0;
      if (until > now) order({ order: "hurry", ids: [name], until });
    },
  };
}
