// Seed mailboxes in a database, and a watcher over them whose thread does what the test says.

import { setTimeout as pause } from "node:timers/promises";
import type { WorkspaceEvent } from "../../../../src/features/events/contract.ts";
import type { AccessToken } from "../../../../src/features/mailboxes/oauth/access-tokens.ts";
import type { IntegrationsTable } from "../../../../src/features/mailboxes/tables.ts";
import type { OnNews, OpenMailboxThread } from "../../../../src/features/mailboxes/work/lazy-thread.ts";
import { sealPassword } from "../../../../src/features/mailboxes/work/logins.ts";
import type { MailboxNews, MailboxOrder } from "../../../../src/features/mailboxes/work/messages.ts";
import { createMailboxWatcher, type MailboxWatcherOptions } from "../../../../src/features/mailboxes/work/watcher.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { createSealer } from "../../../../src/platform/system/secret-key.ts";
import type { Open } from "../../../platform/database/each-dialect.ts";
import { insertIntegration, insertWorkspaces } from "../../../platform/database/nouns.ts";
import { type TestSystem, testSystem } from "../../../test-system.ts";

type Untold<T> = T extends { readonly id: string } ? Omit<T, "id"> : never;
type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;
export type Kept = Parameters<MailboxWatcherOptions["keepSightings"]>;

export const began = Date.UTC(2026, 10, 21, 6);
export const inboxAndSpam = [
  { path: "INBOX", role: "inbox" },
  { path: "Junk", role: "spam" },
] as const;

export function scriptedThread() {
  const orders: MailboxOrder[] = [];
  let opened = 0;
  let closed = 0;
  let hear: OnNews = async () => {};
  const open: OpenMailboxThread = (onNews) => {
    opened += 1;
    hear = onNews;
    return {
      order: (order) => orders.push(order),
      close: async () => {
        closed += 1;
        hear = async () => {};
      },
    };
  };
  const watches = () => orders.filter((order): order is WatchOrder => order.order === "watch");
  const dropped = () => orders.flatMap((order) => (order.order === "drop" ? [order.id] : []));
  return {
    open,
    orders,
    watches,
    dropped,
    /** The watches that go on. */
    current: () => watches().filter(({ id }) => !dropped().includes(id)),
    hurries: () => orders.filter(({ order }) => order === "hurry"),
    counts: () => ({ opened, closed }),
    /** About the newest watch of the mailbox, or about the watch of that name. */
    tell: (integration: string, news: Untold<MailboxNews>) => {
      const newest = watches().findLast(({ id }) => id.startsWith(integration));
      return hear({ ...news, id: newest?.id ?? integration } as MailboxNews);
    },
  };
}

export async function openMailboxes(open: Open, options: Partial<MailboxWatcherOptions> = {}) {
  const store = await open();
  const system = testSystem({ now: began });
  await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
  const sealer = createSealer(new Uint8Array(32), system.random);
  const events: (WorkspaceEvent & { readonly workspaceId: string })[] = [];
  const kept: Kept[] = [];
  const thread = scriptedThread();
  let token: AccessToken = { ok: true, accessToken: "token 1", expiresAt: null };
  const terms: MailboxWatcherOptions = {
    store,
    system,
    sealer,
    owner: "first",
    openThread: thread.open,
    pollEveryMs: 3_600_000,
    publish: (workspaceId, event) => void events.push({ ...event, workspaceId }),
    keepSightings: async (...asked) => void kept.push(asked),
    keepMessage: async () => null,
    maxMessageBytes: 1_000_000,
    accessTokenOf: async () => token,
    ...options,
  };
  const watcherOf = (changes: Partial<MailboxWatcherOptions> = {}) => createMailboxWatcher({ ...terms, ...changes });
  return {
    store,
    system,
    sealer,
    events,
    kept,
    thread,
    watcherOf,
    giveTokens: (given: AccessToken) => {
      token = given;
    },
    add: (name: string, changes: Partial<IntegrationsTable> = {}) =>
      insertIntegration(store, changes.workspace_id ?? "wsp_a", name, {
        due_at: system.now(),
        secret: sealPassword(sealer, name, { user: `${name}@seed.example`, password: `${name}'s` }),
        ...changes,
      }),
    rowOf: (id: string) =>
      store.read.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
  };
}

export function newTestId(system: TestSystem): string {
  return createId("test", system.now(), system.random(16));
}

/** Fails by the test's own time when it never holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
