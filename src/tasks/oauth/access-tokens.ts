// Access tokens of connections, refreshed before they lapse. One refresh at a time for a connection, in this process and
// in all that share its database (store/mailboxes/integrations.ts); whoever comes meanwhile waits for what comes of it.

import { setTimeout as pause } from "node:timers/promises";
import { isOauthProvider, oauthFacts } from "../../integrations/list.ts";
import { findIntegration, finishRefresh, takeRefresh } from "../../store/mailboxes/integrations.ts";
import type { IntegrationsTable } from "../../store/schema/integrations.ts";
import type { Store } from "../../store/store.ts";
import type { Sealer } from "../../system/secret-key.ts";
import type { System } from "../../system/system.ts";
import type { OauthClient } from "./client.ts";
import type { Failure } from "./failure.ts";

type AccessTokenTerms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  readonly oauth: Pick<OauthClient, "isConfigured" | "refresh">;
};

const refreshedBeforeMs = 300_000;
/** Over what two requests of a refresh may take; a process that dies holds it no longer. */
const leaseMs = 30_000;
const lookEveryMs = 200;
const looks = 175;

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
  for (let look = 0; look < looks; look++) {
    const row = await findIntegration(store.read, id);
    if (row === undefined || !isOauthProvider(row.provider)) return gone;
    const secret = openSecret(terms.sealer, row);
    const isFresh = row.expires_at === null || row.expires_at > system.now() + refreshedBeforeMs;
    if (isFresh) return toToken(secret, row);
    const { label } = oauthFacts[row.provider];
    if (secret.refreshToken === null) return noLonger(row.problem ?? `${label} gave no lasting access.`);
    if (!terms.oauth.isConfigured(row.provider))
      return notNow(row, secret, `${label}'s OAuth client is no longer set on this server.`, system);
    const now = system.now();
    const holder = Buffer.from(system.random(16)).toString("hex");
    const lease = { integrationId: id, holder, now, until: now + leaseMs };
    const taken = await store.write((db) => takeRefresh(db, lease));
    const token = taken && (await refresh(taken, holder, terms));
    if (token) return token;
    await pause(lookEveryMs);
  }
  return { ok: false, problem: "Another process is asking for a new access token.", isFinal: false };
}

/**
 * `row`: as it is under the lease, so that what somebody refreshed just before is not refreshed again. Undefined when the
 * lease was lost meanwhile: it was connected anew, or is gone.
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
    return `${label} no longer accepts the consent: it was withdrawn, the password was changed, or it ended by itself. Connect again. ${lapseNote}`.trim();
  return kind === "silent"
    ? `${label} did not answer when it was asked for a new access token.`
    : `${label} refused a new access token (${code}): this server's operator checks its OAuth client.`;
}

const gone: AccessToken = { ok: false, problem: "It is no longer connected.", isFinal: true };

function noLonger(problem: string): AccessToken {
  return { ok: false, problem, isFinal: true };
}

/** The old token may be good for some minutes yet. */
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
  // A server with another key does not start.
  if (secret === undefined) throw new Error(`What is sealed of the integration ${row.id} does not open.`);
  return secret;
}

export type AccessToken =
  | { readonly ok: true; readonly accessToken: string; readonly expiresAt: number | null }
  /** `isFinal`: only a person can mend it. */
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

/** Of an integration; refreshed when it is about to lapse. */
export type AccessTokenOf = (integrationId: string) => Promise<AccessToken>;

// What a connection keeps secret, sealed at rest and bound to its row and its kind.

/** What the sealer's key is derived for. */
export const integrationSealing = "integrations";

export type OauthSecret = {
  readonly accessToken: string;
  /** Null: there never was one, or it is no longer good. */
  readonly refreshToken: string | null;
  /** What revoking would end (GivenAccount). */
  readonly grant: string;
  /** Where it was given one. */
  readonly webhookUrl: string | null;
};

export function sealOauth(sealer: Sealer, id: string, secret: OauthSecret): string {
  return sealer.seal(JSON.stringify(secret), boundTo(id));
}

/** Undefined for what was sealed with another key. */
export function openOauth(
  sealer: Sealer,
  { id, secret }: Pick<IntegrationsTable, "id" | "secret">,
): OauthSecret | undefined {
  const opened = sealer.open(secret, boundTo(id));
  return opened === undefined ? undefined : (JSON.parse(opened) as OauthSecret);
}

function boundTo(id: string): string {
  return `integrations/${id}/oauth`;
}
