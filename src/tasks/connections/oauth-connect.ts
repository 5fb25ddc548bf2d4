// Connects an account by OAuth, from sending the user to the provider until they return (src/decisions.md,
// "Integrations"). The same user must return: the state belongs to one workspace and one user, works once and for 10
// minutes, and the browser's session identifies the user. If anything is wrong, nothing is connected and a code says
// why.

import { createSecret, hashSecret, isSecret, secretBytes } from "../../accounts/secrets.ts";
import type { OauthProvider } from "../../config.ts";
import { Refusal } from "../../errors.ts";
import { oauthFacts } from "../../integrations/list.ts";
import type { ConnectProblem, GivenAccount } from "../../integrations/oauth-provider.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { describeChange } from "../../store/audit/recording.ts";
import { insertOauthState, takeOauthState } from "../../store/mailboxes/integrations.ts";
import { listRolesOf } from "../../store/people/memberships.ts";
import { findSession } from "../../store/people/sessions.ts";
import type { OauthStatesTable } from "../../store/schema/integrations.ts";
import { storeOf, type WorkspaceStore } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import type { Sealer } from "../../system/secret-key.ts";
import type { System } from "../../system/system.ts";
import { toVisible } from "../../visible-text.ts";
import type { Errand, Granted, OauthClient } from "../oauth/client.ts";
import { type ConnectionTerms, endGrant, keepConnection } from "./connections.ts";

type ConnectTerms = ConnectionTerms & {
  readonly store: Pick<Store, "read" | "readInWorker" | "write" | "messages">;
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  readonly oauth: OauthClient;
  readonly baseUrl: () => string;
};

export type CameBack = {
  readonly provider: OauthProvider;
  readonly query: Readonly<Partial<Record<"state" | "code" | "iss" | "error", string | undefined>>>;
  /** Value of the session cookie. */
  readonly session: string | null;
};

export type ConnectOutcome = { readonly ok: true } | { readonly ok: false; readonly problem: ConnectProblem };

const stateLifeMs = 600_000;
const longestAccount = 254;

/** Returns the URL to open in a browser. */
export async function beginConnecting(
  store: Pick<WorkspaceStore, "write">,
  { oauth, system, sealer, baseUrl }: ConnectTerms,
  provider: OauthProvider,
  userId: string | null,
): Promise<string> {
  const { label } = oauthFacts[provider];
  if (!oauth.isConfigured(provider))
    throw new Refusal(
      "integration_not_configured",
      `${label} cannot be connected: ASSAY_OAUTH_${provider.toUpperCase()}_CLIENT_ID is not set on this server.`,
    );
  if (userId === null)
    throw new Refusal(
      "forbidden",
      "This token belongs to the server's operator, not to a user. Use a session or a user's token.",
    );
  const state = createSecret(system.random(secretBytes));
  const hash = hashSecret(state);
  const { url, errand } = await oauth.begin(provider, {
    redirectUri: toCallback(baseUrl(), provider),
    state,
  });
  const now = system.now();
  const secret = sealer.seal(JSON.stringify(errand), boundTo(hash));
  const row = { hash, user_id: userId, provider, secret, created_at: now, expires_at: now + stateLifeMs };
  await store.write((scope) => insertOauthState(scope, row));
  return url;
}

export async function finishConnecting(terms: ConnectTerms, back: CameBack): Promise<ConnectOutcome> {
  const { store, oauth, sealer, baseUrl } = terms;
  const { provider, query } = back;
  const stateText = query.state ?? "";
  const state = isSecret(stateText)
    ? await store.write((db) => takeOauthState(db, hashSecret(stateText)))
    : undefined;
  if (state === undefined || state.provider !== provider) return refused("unknown_state");
  const problem = await whyNotTheirs(state, back, terms);
  if (problem) return refused(problem);
  describeChange({ workspaceId: state.workspace_id });
  const opened = sealer.open(state.secret, boundTo(state.hash));
  if (opened === undefined) return refused("unknown_state");
  if (!oauth.isConfigured(provider)) return refused("not_configured");
  const callback = new URL(toCallback(baseUrl(), provider));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) callback.searchParams.set(name, value);
  const errand = { ...(JSON.parse(opened) as Errand), state: stateText };
  const outcome = await oauth.finish(provider, callback, errand);
  return outcome.ok ? await keepGranted(terms, state, provider, outcome.granted) : outcome;
}

async function whyNotTheirs(
  { expires_at, user_id, workspace_id }: OauthStatesTable,
  { session: secret }: CameBack,
  { store, system }: ConnectTerms,
): Promise<ConnectProblem | undefined> {
  const now = system.now();
  if (expires_at <= now) return "expired";
  const isOne = secret !== null && isSecret(secret);
  const session = isOne ? await findSession(store.read, hashSecret(secret), now) : undefined;
  if (session === undefined) return "logged_out";
  if (session.user_id !== user_id) return "other_user";
  return (await listRolesOf(store.read, user_id)).has(workspace_id) ? undefined : "not_a_member";
}

/** Revokes the grant if it cannot be used. */
async function keepGranted(
  terms: ConnectTerms,
  { workspace_id, user_id: userId }: OauthStatesTable,
  provider: OauthProvider,
  granted: Granted,
): Promise<ConnectOutcome> {
  const account = readAccount(provider, granted);
  // Not revoked, because without an account we cannot tell what else would lose access.
  if (account === null) return refused("no_account");
  const { grant, webhookUrl } = account;
  const { accessToken, refreshToken } = granted;
  const secret = { accessToken, refreshToken, grant, webhookUrl };
  const giveBack = async (why: ConnectProblem) => {
    await endGrant(terms, provider, secret);
    return refused(why);
  };
  const problem = whyNoUse(provider, granted);
  if (problem) return await giveBack(problem);
  const { scopes, expiresAt } = granted;
  const connection = { provider, account: account.account, secret, scopes, expiresAt, userId };
  try {
    await keepConnection(storeOf(terms.store, workspace_id), terms, connection);
    return { ok: true };
  } catch (error) {
    if (error instanceof Refusal) return await giveBack(problemOf(error));
    throw error;
  }
}

function readAccount(
  provider: OauthProvider,
  { claims, answer }: Pick<Granted, "claims" | "answer">,
): GivenAccount | null {
  const given = oauthFacts[provider].readAccount(claims, answer);
  return given && { ...given, account: toStorableCut(toVisible(given.account), longestAccount) };
}

function whyNoUse(provider: OauthProvider, { scopes, refreshToken }: Granted): ConnectProblem | undefined {
  const { neededScopes, mailbox } = oauthFacts[provider];
  const given = scopes.map((scope) => scope.toLowerCase());
  if (!neededScopes.every((scope) => given.includes(scope.toLowerCase()))) return "scope_missing";
  return mailbox !== null && refreshToken === null ? "no_refresh" : undefined;
}

function problemOf({ code }: Refusal): ConnectProblem {
  if (code === "plan_limit") return "plan_limit";
  if (code === "invalid_url") return "bad_webhook";
  // The workspace was deleted meanwhile.
  return code === "not_found" ? "not_a_member" : "too_many";
}

function refused(problem: ConnectProblem): ConnectOutcome {
  return { ok: false, problem };
}

function toCallback(baseUrl: string, provider: OauthProvider): string {
  return `${baseUrl}/api/integrations/${provider}/callback`;
}

function boundTo(hash: string): string {
  return `oauth_states/${hash}`;
}
