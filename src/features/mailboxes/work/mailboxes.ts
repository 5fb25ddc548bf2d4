// Seed mailboxes with a password. A mailbox or a new password is stored only after a successful login
// (src/decisions.md, "Seed mailboxes").

import type { z } from "zod";
import { type Provider, providers, providerTable } from "../../../analyzer/placement/provider.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { PrivateTargets } from "../../../platform/settings/setting-kinds.ts";
import { createFairQueue, type FairQueueBounds } from "../../../platform/system/fair-queue.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { createHostResolver, createTargetGuard } from "../../../platform/system/target-guard.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import type { changeMailbox, createMailbox } from "../contract/mailboxes.ts";
import { insertIntegration } from "../rows/integrations.ts";
import { listMailboxes, readMailbox, restartMailbox } from "../rows/mailboxes.ts";
import { isPasswordProvider } from "../rules/list.ts";
import type { IntegrationsTable } from "../tables.ts";
import { openPassword, sealPassword } from "./logins.ts";
import type { MailboxServer } from "./messages.ts";
import type { MailboxTrial } from "./trials.ts";
import type { MailboxWatcher } from "./watcher.ts";

type MailboxTerms = {
  readonly system: Pick<System, "now" | "random" | "dns">;
  readonly sealer: Sealer;
  readonly allowPrivateTargets: PrivateTargets;
  /** Allowed for members. */
  readonly imapPorts: readonly number[];
  readonly watcher: Pick<MailboxWatcher, "tryOut" | "kick">;
};

/** `connectedBy` is null with an operator's token. */
type WantedMailbox = z.output<typeof createMailbox.body> & { readonly connectedBy: string | null };

const providerOfHost = new Map<string, Provider>(
  providers.flatMap((provider) => providerTable[provider].hosts.map((host) => [host, provider] as const)),
);

/** Null: its placement counts only for itself. */
function toMailboxProvider(host: string): Provider | null {
  return providerOfHost.get(host) ?? null;
}

type Own = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

type ChangedLogin = z.output<typeof changeMailbox.body>;

export type Mailboxes = {
  readonly connect: (store: Own, wanted: WantedMailbox) => Promise<IntegrationsTable>;
  readonly changePassword: (store: Own, id: string, changed: ChangedLogin) => Promise<IntegrationsTable>;
  /** Refuses waiting requests. */
  readonly close: () => void;
};

/** Per workspace, for all kinds of connections. */
export const maxMailboxes = 20;
/** Each trial connects for up to 10 s to a server that a member chose. */
const trialBounds: FairQueueBounds = { atOnce: 8, waitingPerWorkspace: 5, waitingInAll: 40, patienceMs: 20_000 };

export function createMailboxes(terms: MailboxTerms): Mailboxes {
  const line = createFairQueue("mailbox logins", trialBounds);
  const check = async (workspaceId: string, trial: MailboxTrial) =>
    line.run(workspaceId, () => requireLogin(trial, terms));
  return {
    connect: async (store, wanted) => {
      const { port } = wanted;
      if (!terms.imapPorts.includes(port)) throw refusedPort(terms.imapPorts);
      const row = toNewRow(wanted, terms);
      requireRoom(row, await listMailboxes(store.read));
      const { user, password } = wanted;
      await check(store.workspaceId, toTrial(row, { user, password }));
      await store.write(async (scope) => {
        await lockWorkspace(scope);
        requireRoom(row, await listMailboxes(scope));
        await insertIntegration(scope, row);
        recordChange({ objectId: row.id });
      });
      terms.watcher.kick();
      return { ...row, workspace_id: store.workspaceId };
    },

    changePassword: async (store, id, { password, user }) => {
      const before = await requirePasswordMailbox(store.read, id);
      const known = openPassword(terms.sealer, before);
      const login = { user: user ?? known.user, password };
      await check(store.workspaceId, toTrial(before, login));
      const now = terms.system.now();
      const row = await store.write(async (scope) => {
        await lockWorkspace(scope);
        await restartMailbox(scope, id, {
          secret: sealPassword(terms.sealer, id, login),
          status: "connecting",
          problem: null,
          status_since: now,
          due_at: now,
        });
        recordChange();
        return await requirePasswordMailbox(scope, id);
      });
      terms.watcher.kick();
      return row;
    },

    close: line.close,
  };
}

async function requirePasswordMailbox(scope: Scope, id: string): Promise<IntegrationsTable> {
  const row = await readMailbox(scope, id);
  if (row === undefined) throw new Refusal("not_found", "Mailbox not found.");
  if (!isPasswordProvider(row.provider))
    throw new Refusal("conflict", "This mailbox uses OAuth and has no password. Reconnect it at its provider.");
  return row;
}

/** Throws unless the login works. The address is checked first, and again when connecting. */
async function requireLogin(
  trial: MailboxTrial,
  { system, allowPrivateTargets: allow, watcher }: MailboxTerms,
): Promise<void> {
  const guard = createTargetGuard({ allow, resolveHost: createHostResolver(system.dns) });
  const route = await guard(trial.server.host);
  if (!route.ok) throw new Refusal("invalid_url", route.problem, { field: "host" });
  const outcome = await watcher.tryOut(trial);
  if (!outcome.ok)
    throw new Refusal("invalid_request", outcome.problem, { field: outcome.at === "password" ? "password" : "host" });
}

function toTrial(row: Pick<IntegrationsTable, "server" | "seed_provider">, login: MailboxTrial["login"]) {
  const server = JSON.parse(row.server ?? "") as MailboxServer;
  const searchesTabs = row.seed_provider !== null && providerTable[row.seed_provider].searchesTabs;
  return { server, login, searchesTabs };
}

type NewRow = Omit<IntegrationsTable, "workspace_id">;

function toNewRow(
  { host, port, tls, user, password, provider, address, connectedBy, reads, trust = [] }: WantedMailbox,
  { system, sealer }: MailboxTerms,
): NewRow {
  const now = system.now();
  const id = createId("integration", now, system.random(16));
  const inbox = reads === "tests" && { inbox: { trust } };
  const server: MailboxServer = { host, port, tls: tls ? "implicit" : "starttls", ...inbox };
  return {
    id,
    provider: "imap",
    account: address ?? user,
    seed_provider: provider === undefined ? toMailboxProvider(host) : provider,
    connected_at: now,
    connected_by: connectedBy,
    scopes: "[]",
    server: JSON.stringify(server),
    secret: sealPassword(sealer, id, { user, password }),
    expires_at: null,
    alert_id: null,
    status: "connecting",
    problem: null,
    status_since: now,
    due_at: now,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
  };
}

/** Placement lists show the account name, so it must be unique. */
function requireRoom({ account }: Pick<NewRow, "account">, others: readonly IntegrationsTable[]): void {
  const name = account.toLowerCase();
  if (others.some((other) => other.account.toLowerCase() === name))
    throw new Refusal("conflict", "A mailbox with this name is already connected.");
  if (others.length >= maxMailboxes)
    throw new Refusal("conflict", `A workspace can have at most ${maxMailboxes} seed mailboxes. Disconnect one first.`);
}

function refusedPort(ports: readonly number[]): Refusal {
  const listed = ports.join(", ");
  return new Refusal("invalid_request", `"port" must be one of: ${listed}.`, { field: "port" });
}
