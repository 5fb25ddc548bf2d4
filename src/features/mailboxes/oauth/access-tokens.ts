// Access tokens of connections, refreshed before they expire. Only one refresh per connection runs at a time, across
// all processes on the database (features/mailboxes/rows/integrations.ts). Other callers wait for its result.

import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../../platform/database/store.ts";
import type { Failure } from "../../../platform/system/oauth-failure.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { findIntegration, finishRefresh, takeRefresh } from "../rows/integrations.ts";
import { isOauthProvider, oauthFacts } from "../rules/list.ts";
import type { IntegrationsTable } from "../tables.ts";
import type { OauthClient } from "./client.ts";

type AccessTokenTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  readonly oauth: Pick<OauthClient, "isConfigured" | "refresh">;
};

const refreshedBeforeMs = 300_000;
/** Longer than the two requests of a refresh. Frees the lease of a process that died. */
const leaseMs = 30_000;
const pollEveryMs = 200;
const maxPolls = 175;

export function createAccessTokens(terms: AccessTokenTerms): AccessTokenOf {
  const asked = new Map<string, Promise<AccessToken>>();
  return (id) => {
    const running = asked.get(id) ?? readToken(id, terms).finally(() => asked.delete(id));
    asked.set(id, running);
    return running;
  };
}

async function readToken(id: string, terms: AccessTokenTerms): Promise<AccessToken> {
  const { store, system } = terms;
  for (let poll = 0; poll < maxPolls; poll++) {
    const row = await findIntegration(store.read, id);
    if (row === undefined || !isOauthProvider(row.provider)) return gone;
    const secret = openSecret(terms.sealer, row);
    const isFresh = row.expires_at === null || row.expires_at > system.now() + refreshedBeforeMs;
    if (isFresh) return toToken(secret, row);
    const { label } = oauthFacts[row.provider];
    if (secret.refreshToken === null) return noLonger(row.problem ?? `${label} did not grant permanent access.`);
    if (!terms.oauth.isConfigured(row.provider))
      return notNow(row, secret, `${label}'s OAuth client is no longer configured on this server.`, system);
    const now = system.now();
    const holder = Buffer.from(system.random(16)).toString("hex");
    const lease = { integrationId: id, holder, now, until: now + leaseMs };
    const taken = await store.write((db) => takeRefresh(db, lease));
    const token = taken && (await refresh(taken, holder, terms));
    if (token) return token;
    await pause(pollEveryMs);
  }
  return { ok: false, problem: "Another process is already requesting a new access token.", isFinal: false };
}

/**
 * `row`: read under the lease, so that a token just refreshed elsewhere is not refreshed again. Returns undefined when
 * the lease was lost because the account was reconnected or disconnected.
 */
async function refresh(
  row: IntegrationsTable,
  holder: string,
  { store, system, sealer, oauth }: AccessTokenTerms,
): Promise<AccessToken | undefined> {
  const secret = openSecret(sealer, row);
  const finish = (outcome: Partial<IntegrationsTable>) =>
    store.write((db) => finishRefresh(db, { integrationId: row.id, holder }, outcome));
  const isDone = row.expires_at === null || row.expires_at > system.now() + refreshedBeforeMs;
  if (isDone || secret.refreshToken === null || !isOauthProvider(row.provider)) {
    await finish({});
    return isDone ? toToken(secret, row) : gone;
  }
  const outcome = await oauth.refresh(row.provider, secret.refreshToken);
  if (outcome.ok) {
    const { accessToken, refreshToken, expiresAt } = outcome.tokens;
    const renewed = { ...secret, accessToken, refreshToken: refreshToken ?? secret.refreshToken };
    const isKept = await finish({ secret: sealOauth(sealer, row.id, renewed), expires_at: expiresAt });
    return isKept ? { ok: true, accessToken, expiresAt } : undefined;
  }
  const problem = toProblem(row.provider, outcome);
  if (outcome.kind !== "lapsed") {
    await finish({});
    return notNow(row, secret, problem, system);
  }
  const isKept = await finish({
    secret: sealOauth(sealer, row.id, { ...secret, refreshToken: null }),
    expires_at: system.now(),
    status: "reconnect",
    problem,
    status_since: system.now(),
  });
  return isKept ? noLonger(problem) : undefined;
}

function toProblem(provider: keyof typeof oauthFacts, { kind, code }: Failure): string {
  const { label, lapseNote } = oauthFacts[provider];
  if (kind === "lapsed")
    return `${label} no longer grants access. It was revoked or has expired, or the password was changed. Reconnect the account. ${lapseNote}`.trim();
  return kind === "silent"
    ? `${label} did not respond to our request for a new access token.`
    : `${label} refused to issue a new access token (${code}). Ask your administrator to check the OAuth client.`;
}

const gone: AccessToken = { ok: false, problem: "This account is no longer connected.", isFinal: true };

function noLonger(problem: string): AccessToken {
  return { ok: false, problem, isFinal: true };
}

/** The old token may remain valid for some minutes. */
function notNow(
  row: IntegrationsTable,
  secret: OauthSecret,
  problem: string,
  { now }: Pick<System, "now">,
): AccessToken {
  return (row.expires_at ?? 0) > now() ? toToken(secret, row) : { ok: false, problem, isFinal: false };
}

function toToken({ accessToken }: OauthSecret, { expires_at }: IntegrationsTable): AccessToken {
  return { ok: true, accessToken, expiresAt: expires_at };
}

function openSecret(sealer: Sealer, row: IntegrationsTable): OauthSecret {
  const secret = openOauth(sealer, row);
  // Cannot happen: a server with another key does not start.
  if (secret === undefined) throw new Error(`The tokens of integration ${row.id} cannot be decrypted.`);
  return secret;
}

export type AccessToken =
  | { readonly ok: true; readonly accessToken: string; readonly expiresAt: number | null }
  /** `isFinal`: only a user can fix it. */
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

/** Returns an integration's access token, refreshed if it expires soon. */
export type AccessTokenOf = (integrationId: string) => Promise<AccessToken>;

// A connection's secrets, sealed at rest and bound to their row and kind.

/** Names the derived key. */
export const integrationSealing = "integrations";

export type OauthSecret = {
  readonly accessToken: string;
  /** Null: never issued, or no longer valid. */
  readonly refreshToken: string | null;
  /** Identifies what a revocation would end (GivenAccount). */
  readonly grant: string;
  /** Null: the connection has no webhook. */
  readonly webhookUrl: string | null;
};

export function sealOauth(sealer: Sealer, id: string, secret: OauthSecret): string {
  return sealer.seal(JSON.stringify(secret), oauthSecretPlace(id));
}

/** Undefined when it was sealed with another key. */
export function openOauth(
  sealer: Sealer,
  { id, secret }: Pick<IntegrationsTable, "id" | "secret">,
): OauthSecret | undefined {
  const opened = sealer.open(secret, oauthSecretPlace(id));
  return opened === undefined ? undefined : (JSON.parse(opened) as OauthSecret);
}

export function oauthSecretPlace(id: string): string {
  return `integrations/${id}/oauth`;
}
