// Seed mailboxes in a database, and a watcher over them whose thread does what the test says.

import { setTimeout as pause } from "node:timers/promises";
import type { WorkspaceEvent } from "../../src/api/events.ts";
import { createId } from "../../src/ids.ts";
import type { IntegrationsTable } from "../../src/store/integration-schema.ts";
import { inWorkspace } from "../../src/store/scope.ts";
import type { Store } from "../../src/store/store.ts";
import { createSealer } from "../../src/system/sealing.ts";
import type { AccessToken } from "../../src/tasks/access-token-of.ts";
import type { OpenMailboxThread } from "../../src/tasks/lazy-mailbox-thread.ts";
import { sealPassword } from "../../src/tasks/mailbox-logins.ts";
import { createMailboxWatcher, type MailboxWatcherOptions } from "../../src/tasks/mailbox-watcher.ts";
import type { MailboxNews, MailboxOrder } from "../../src/tasks/mailbox-words.ts";
import type { Open } from "../store/each-dialect.ts";
import { insertWorkspaces } from "../store/nouns.ts";
import { type TestSystem, testSystem } from "../test-system.ts";

type Untold<T> = T extends { readonly id: string } ? Omit<T, "id"> : never;
type WatchOrder = Extract<MailboxOrder, { readonly order: "watch" }>;
export type Kept = Parameters<MailboxWatcherOptions["keepSightings"]>;

export const began = Date.UTC(2026, 10, 21, 6);
export const server = { host: "imap.seed.example", port: 993, tls: "implicit" } as const;
export const inboxAndSpam = [
  { path: "INBOX", role: "inbox" },
  { path: "Junk", role: "spam" },
] as const;

export function scriptedThread() {
  const orders: MailboxOrder[] = [];
  let opened = 0;
  let closed = 0;
  let hear: (news: MailboxNews) => void = () => {};
  const open: OpenMailboxThread = (onNews) => {
    opened += 1;
    hear = onNews;
    return {
      order: (order) => orders.push(order),
      close: async () => {
        closed += 1;
        hear = () => {};
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
      hear({ ...news, id: newest?.id ?? integration } as MailboxNews);
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
    ...{ store, system, sealer, owner: "first", openThread: thread.open, lookEveryMs: 3_600_000 },
    publish: (workspaceId, event) => void events.push({ ...event, workspaceId }),
    keepSightings: async (...asked) => void kept.push(asked),
    accessTokenOf: async () => token,
    ...options,
  };
  const watcherOf = (changes: Partial<MailboxWatcherOptions> = {}) =>
    createMailboxWatcher({ ...terms, ...changes });
  return {
    ...{ store, system, sealer, events, kept, thread, watcherOf },
    giveTokens: (given: AccessToken) => {
      token = given;
    },
    add: (name: string, changes: Partial<IntegrationsTable> = {}) =>
      addMailbox(store, system, name, {
        secret: sealPassword(sealer, name, { user: `${name}@seed.example`, password: `${name}'s` }),
        ...changes,
      }),
    rowOf: (id: string) =>
      store.read.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirstOrThrow(),
  };
}

/** Its id is its name. */
async function addMailbox(
  store: Store,
  system: TestSystem,
  name: string,
  { workspace_id = "wsp_a", ...changes }: Partial<IntegrationsTable>,
): Promise<string> {
  const row: Omit<IntegrationsTable, "workspace_id"> = {
    ...{ id: name, provider: "imap" as const, account: `${name}@seed.example`, seed_provider: null },
    ...{ connected_at: began, connected_by: null, scopes: "[]", server: JSON.stringify(server) },
    ...{ secret: "", expires_at: null, alert_id: null },
    ...{ status: "connecting" as const, problem: null, status_since: began },
    ...{ due_at: system.now(), claimed_by: null, claimed_until: null, attempts: 0 },
    ...changes,
  };
  await store.write((db) => inWorkspace(db, workspace_id).insertInto("integrations", row).execute());
  return name;
}

export function newTestId(system: TestSystem): string {
  return createId("test", system.now(), system.random(16));
}

/** Fails by the test's own time when it never holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5);
}
