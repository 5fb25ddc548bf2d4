// Stores OAuth connections: creates, reconnects and removes them. Mailboxes become due for the mailbox watcher. A chat
// channel becomes an alert webhook in the same transaction.

import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import type { Recorder } from "../../../platform/audit/rows/actors.ts";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { OauthProvider } from "../../../platform/settings/config.ts";
import { oauthTimeoutMs } from "../../../platform/system/oauth-failure.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { unclaimed } from "../../../platform/work/claims.ts";
import { readAlert, updateAlert } from "../../alerts/rows/alerts.ts";
import { usualEventTypes } from "../../alerts/rules/alert-event.ts";
import type { Alerts } from "../../alerts/work/alerts.ts";
import { lockWorkspace } from "../../people/rows/workspaces.ts";
import { type OauthSecret, openOauth, sealOauth } from "../oauth/access-tokens.ts";
import type { OauthClient } from "../oauth/client.ts";
import {
  callOffRefresh,
  countIntegrations,
  findIntegrationOf,
  insertIntegration,
  listIntegrations,
  listSecretsOf,
  removeIntegration,
  updateIntegration,
} from "../rows/integrations.ts";
import { listMailboxes } from "../rows/mailboxes.ts";
import { isOauthProvider, oauthFacts } from "../rules/list.ts";
import type { IntegrationsTable } from "../tables.ts";
import { maxMailboxes } from "../work/mailboxes.ts";
import type { MailboxServer } from "../work/messages.ts";

export type ConnectionTerms = {
  readonly store: Pick<Store, "read">;
  readonly system: Pick<System, "now" | "random" | "fetchStranger">;
  readonly sealer: Sealer;
  readonly oauth: Pick<OauthClient, "isConfigured" | "revoke">;
  readonly alerts: Pick<Alerts, "create" | "change" | "remove">;
};

type Connection = {
  readonly provider: OauthProvider;
  readonly account: string;
  readonly secret: OauthSecret;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  /** Null: the server's operator. */
  readonly userId: string | null;
  /** For the audit log. */
  readonly by: Recorder | undefined;
  /** Throws if the right to connect has ended. It runs in the write, with the workspace locked. */
  readonly requireRight: (scope: Scope) => Promise<void>;
};

type Own = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

const maxConnections = 100;
const longestLabel = 100;

export type Kept = {
  readonly id: string;
  readonly connectedAt: number;
  /** The account was not connected before. */
  readonly isNew: boolean;
};

/** Throws a Refusal when a limit is reached. */
export async function keepConnection(store: Own, terms: ConnectionTerms, connection: Connection): Promise<Kept> {
  const { webhookUrl } = connection.secret;
  if (webhookUrl === null)
    return await store.write(async (scope) => {
      await lockWorkspace(scope);
      return await keepRow(scope, terms, connection, null);
    });
  try {
    return await keepChannel(store, terms, connection, webhookUrl);
  } catch (error) {
    // The webhook is not found if the channel was disconnected.
    if (!(error instanceof Overtaken || (error instanceof Refusal && error.code === "not_found"))) throw error;
    return await keepChannel(store, terms, connection, webhookUrl);
  }
}

/** The same channel was connected or disconnected at the same moment. */
class Overtaken extends Error {}

async function keepChannel(
  store: Own,
  terms: ConnectionTerms,
  connection: Connection,
  webhookUrl: string,
): Promise<Kept> {
  const { provider, account } = connection;
  const before = await findIntegrationOf(store.read, provider, account);
  const alertId = before?.alert_id ?? null;
  const alert = alertId === null ? undefined : await readAlert(store.read, alertId);
  let kept: Kept | undefined;
  const along = async (scope: Scope, id: string) => {
    kept = await keepRow(scope, terms, connection, id);
    // Disconnected meanwhile, so its webhook is about to be deleted.
    if (alert && kept.isNew) throw new Overtaken();
  };
  if (alert) await terms.alerts.change(store, alert.id, { url: webhookUrl, enabled: true }, along);
  else await terms.alerts.create(store, toAlert(connection, webhookUrl), along);
  const old = before && openOauth(terms.sealer, before);
  if (old && old.grant !== connection.secret.grant) await deleteWebhook(terms, provider, old);
  if (kept === undefined) throw new Error("The alert webhook was kept without its connection.");
  return kept;
}

/**
 * Also deletes the alert webhook and revokes the grant where possible. With `undone`, an account that was connected
 * again since is not found.
 */
export async function disconnect(
  store: Own,
  terms: ConnectionTerms,
  id: string,
  undone?: { readonly connectedAt: number; readonly account: string },
): Promise<void> {
  const row = await store.write(async (scope) => {
    const removed = await removeIntegration(scope, id, undone?.connectedAt);
    // Its deletion takes several writes.
    if (removed?.alert_id) await updateAlert(scope, removed.alert_id, { enabled: 0 });
    const named = undone && { objectName: undone.account };
    recordIf(removed !== undefined, { objectId: id, workspaceId: store.workspaceId, ...named });
    return removed;
  });
  if (row === undefined) throw noSuchIntegration();
  if (row.alert_id !== null)
    await terms.alerts.remove(store, row.alert_id).catch((error: unknown) => {
      // A user had already deleted it.
      if (!(error instanceof Refusal && error.code === "not_found")) throw error;
    });
  const secret = isOauthProvider(row.provider) ? openOauth(terms.sealer, row) : undefined;
  if (secret && isOauthProvider(row.provider)) await endGrant(terms, row.provider, secret);
}

/**
 * Revokes a grant if the provider allows it and no other connection uses it. Returns false if it remains valid without
 * being used. Never throws.
 */
export async function endGrant(
  { store, system, sealer, oauth }: Pick<ConnectionTerms, "store" | "sealer" | "oauth"> & WebhookTerms,
  provider: OauthProvider,
  secret: OauthSecret,
): Promise<boolean> {
  const isShared = (await listSecretsOf(store.read, provider)).some((row) => {
    const other = openOauth(sealer, row);
    return other !== undefined && other.grant === secret.grant;
  });
  if (isShared) return true;
  await deleteWebhook({ system }, provider, secret);
  if (!oauth.isConfigured(provider)) return false;
  return await oauth.revoke(provider, secret.refreshToken ?? secret.accessToken);
}

type WebhookTerms = { readonly system: Pick<System, "fetchStranger"> };

async function deleteWebhook(
  { system }: WebhookTerms,
  provider: OauthProvider,
  { webhookUrl }: OauthSecret,
): Promise<void> {
  const { gives } = oauthFacts[provider];
  if (gives.is !== "channel" || !gives.deletesWebhook || webhookUrl === null) return;
  const bounds = { timeoutMs: oauthTimeoutMs, maxBytes: 65_536, ignoresBody: true };
  await system.fetchStranger(webhookUrl, { method: "DELETE", ...bounds });
}

async function keepRow(
  scope: Scope,
  { system, sealer }: ConnectionTerms,
  { provider, account, secret, scopes, expiresAt, userId, by, requireRight }: Connection,
  alertId: string | null,
): Promise<Kept> {
  await requireRight(scope);
  const now = system.now();
  const isMailbox = oauthFacts[provider].gives.is === "mailbox";
  const before = await findIntegrationOf(scope, provider, account);
  const other = before?.alert_id ?? null;
  // Its webhook would have no connection.
  if (other !== null && other !== alertId && (await readAlert(scope, other))) throw new Overtaken();
  const id = before?.id ?? createId("integration", now, system.random(16));
  recordChange({ objectId: id, workspaceId: scope.workspaceId, ...(by && { by }) });
  const row = {
    connected_at: now,
    connected_by: userId,
    scopes: JSON.stringify(scopes),
    secret: sealOauth(sealer, id, secret),
    expires_at: expiresAt,
    alert_id: alertId,
    ...toState(provider),
    problem: null,
    status_since: now,
    // Takes the mailbox from a process that watches it with the old tokens.
    ...unclaimed,
    attempts: 0,
    due_at: isMailbox ? now : null,
  };
  if (before) {
    // A running refresh of the old tokens must not overwrite the new ones.
    await callOffRefresh(scope, id);
    await updateIntegration(scope, id, row);
    return { id, connectedAt: now, isNew: false };
  }
  if (isMailbox && (await listMailboxes(scope)).length >= maxMailboxes)
    throw new Refusal("conflict", `A workspace can have at most ${maxMailboxes} seed mailboxes.`);
  if ((await countIntegrations(scope)) >= maxConnections)
    throw new Refusal("conflict", `A workspace can have at most ${maxConnections} connections.`);
  await insertIntegration(scope, { ...row, id, provider, account });
  return { id, connectedAt: now, isNew: true };
}

function toState(provider: OauthProvider): Pick<IntegrationsTable, "status" | "server" | "seed_provider"> {
  const { gives } = oauthFacts[provider];
  if (gives.is === "channel") return { status: "connected", server: null, seed_provider: null };
  const server: MailboxServer = gives.server;
  return { status: "connecting", server: JSON.stringify(server), seed_provider: gives.seedProvider };
}

function toAlert({ provider, account }: Connection, url: string) {
  const { label: name, gives } = oauthFacts[provider];
  if (gives.is !== "channel") throw new Error(`${name} gives no webhook.`);
  const label = toStorableCut(`${name}: ${account}`, longestLabel);
  return { label, url, kind: gives.alertKind, events: usualEventTypes };
}

function noSuchIntegration(): Refusal {
  return new Refusal("not_found", "Connection not found.");
}

// Ends a deleted workspace's connections and revokes their grants, one by one. The row goes first, because revoking
// checks whether another connection uses the same grant.

type EndTerms = Pick<ConnectionTerms, "store" | "sealer" | "oauth"> & {
  readonly system: Pick<System, "fetchStranger" | "log">;
};

/** Returns the number of ended connections: one, or zero when none is left. */
export async function endConnection({ read, write }: Pick<Own, "read" | "write">, terms: EndTerms): Promise<number> {
  for (const row of await listIntegrations(read)) {
    const { id, provider } = row;
    if (!isOauthProvider(provider)) continue;
    await write((scope) => removeIntegration(scope, id));
    const secret = openOauth(terms.sealer, row);
    if (secret === undefined || !(await endGrant(terms, provider, secret)))
      terms.system.log.warn(
        "a deleted workspace's access was not revoked at the provider; revoke it in the account's settings",
        { provider },
      );
    return 1;
  }
  return 0;
}
