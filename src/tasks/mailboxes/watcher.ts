// Watches the seed mailboxes of all workspaces. One process alone watches each, and another goes on with those of one that
// is gone. The connections are held by a thread of its own, because what a mail server sends must not keep those waiting
// who send mail.
//
// Of tasks/work-loop.ts this has the looks and the stop. The rest differs, because a mailbox is no job that ends: its claim
// is extended as long as it is watched, a thread that dies is started again with all of them, and no mailbox is suspect.

import { claimDue } from "../../store/claims.ts";
import {
  extendMailboxes,
  giveBackMailboxes,
  hasDueMailbox,
  readHeldMailboxes,
  readNewestTests,
} from "../../store/mailboxes/mailboxes.ts";
import type { IntegrationsTable } from "../../store/schema/integrations.ts";
import type { Db } from "../../store/schema/schema.ts";
import { waitWithTimeout } from "../timeout.ts";
import { createWorkLoop } from "../work-loop.ts";
import { type MailboxInFlight, startWatching, type WatchTerms } from "./in-flight.ts";
import { createLazyMailboxThread, type OpenMailboxThread } from "./lazy-thread.ts";
import type { MailboxOrder } from "./messages.ts";
import { createMailboxTrials, type TryMailbox } from "./trials.ts";

export type MailboxWatcher = {
  readonly start: () => void;
  /** There may be a mailbox to watch, or one that is to be watched no more. */
  readonly kick: () => void;
  readonly tryOut: TryMailbox;
  /** Hears no more, writes what was heard for at most `withinMs`, gives all back. */
  readonly stop: (withinMs: number) => Promise<void>;
};

export type MailboxWatcherOptions = Omit<WatchTerms, "order"> & {
  readonly openThread: OpenMailboxThread;
  /** Names this process in claims. */
  readonly owner: string;
  /** How often it looks; the tests' own. */
  readonly lookEveryMs?: number;
};

const lookEveryMs = 1_000;
/** Others wait so long for the mailboxes of a process that was killed. */
const leaseMs = 60_000;
const extendEveryMs = 20_000;
/** Each is up to three connections. */
const mostInFlight = 500;

export function createMailboxWatcher(options: MailboxWatcherOptions): MailboxWatcher {
  const { store, system, owner } = options;
  /** By their names. */
  const inFlight = new Map<string, MailboxInFlight>();
  const thread = createLazyMailboxThread(options.openThread, async (news) => {
    if (!trials.hear(news)) await inFlight.get(news.id)?.hear(news);
  });
  const trials = createMailboxTrials(system, thread.order);
  const hurry = createMailboxHurry(thread.order);
  const words = {
    trouble: "seed mailboxes cannot be looked up",
    over: "seed mailboxes can be looked up again",
  };
  const loop = createWorkLoop({
    look,
    every: options.lookEveryMs ?? lookEveryMs,
    log: system.log,
    words,
    // A look ends by itself.
    breakOff: async () => {},
  });
  let extendAt = 0;
  let count = 0;

  async function look(): Promise<void> {
    const now = system.now();
    await letLostGo();
    await extend(now);
    await claimMore(now);
    await hurry.look(store.read, [...inFlight.values()], now);
    for (const mailbox of inFlight.values()) mailbox.renewLogin();
    if (inFlight.size + trials.count() === 0) thread.rest();
  }

  /** One that was disconnected, or given another password, is ours no more. */
  async function letLostGo(): Promise<void> {
    const mailboxes = [...inFlight.values()];
    const ids = mailboxes.map(({ id }) => id);
    const held = await readHeldMailboxes(store.read, owner, ids);
    for (const mailbox of mailboxes) if (held.get(mailbox.id) !== mailbox.attempts) mailbox.letGo();
  }

  async function extend(now: number): Promise<void> {
    if (inFlight.size === 0) extendAt = now + extendEveryMs;
    // A clock that was set back must not leave the claims to lapse.
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

// While a test waits to be seen, its workspace's mailboxes are looked at more often. That there is a test is told by the
// database and not by this process's intake: another process may have taken it in, or this one before it was restarted.

/** `name`: as the thread knows it. */
type Hurrying = { readonly name: string; readonly workspaceId: string };

type MailboxHurry = {
  readonly look: (db: Db, mailboxes: readonly Hurrying[], now: number) => Promise<void>;
  /** It is watched from now on. */
  readonly join: (mailbox: Hurrying, now: number) => void;
};

const hurryMs = 600_000;
/** Mail that comes by the second is not told by the second. */
const tellEveryMs = 60_000;

function createMailboxHurry(order: (order: MailboxOrder) => void): MailboxHurry {
  const untilOf = new Map<string, number>();
  return {
    look: async (db, mailboxes, now) => {
      const byWorkspace = Map.groupBy(mailboxes, ({ workspaceId }) => workspaceId);
      for (const id of [...untilOf.keys()]) if (!byWorkspace.has(id)) untilOf.delete(id);
      for (const [id, receivedAt] of await readNewestTests(db, [...byWorkspace.keys()])) {
        // One that lies ahead is of a clock that was set back since.
        const until = Math.min(receivedAt, now) + hurryMs;
        const told = untilOf.get(id) ?? 0;
        if (until <= now || (told > now && until - told < tellEveryMs)) continue;
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
