// Connects an account by OAuth, from sending the user to the provider until they return (src/decisions.md,
// "Integrations"). The state belongs to one workspace and its user or token, works once and for 10 minutes. What a person
// began in the app, they finish with their session. What a token began needs no session, but ends with the token, and a
// session of someone else connects nothing. If anything is wrong, nothing is connected and a code says why.

import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { type Recorder, toPerson } from "../../../platform/audit/rows/actors.ts";
import { createSecret, hashSecret, isSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { type Scope, storeOf, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { OauthProvider } from "../../../platform/settings/config.ts";
import { type Creator, endWith, readMember, requireStillThere } from "../../people/rows/memberships.ts";
import { findSession } from "../../people/rows/sessions.ts";
import { findTokenById, readToken } from "../../people/rows/tokens.ts";
import { lockWorkspace, readWorkspaces } from "../../people/rows/workspaces.ts";
import type { Errand, Granted, OauthClient } from "../oauth/client.ts";
import { insertOauthState, takeOauthState } from "../rows/integrations.ts";
import { readGivenAccount } from "../rules/given-account.ts";
import { oauthFacts } from "../rules/list.ts";
import type { ConnectProblem, GivenAccount } from "../rules/oauth-provider.ts";
import type { OauthStatesTable } from "../tables.ts";
import { type ConnectionTerms, disconnect, endGrant, type Kept, keepConnection } from "./connections.ts";

type ConnectTerms = ConnectionTerms & {
  readonly store: Pick<Store, "read" | "readInWorker" | "write" | "messages">;
  readonly oauth: OauthClient;
  readonly baseUrl: () => string;
};

type CameBack = {
  readonly provider: OauthProvider;
  readonly query: Readonly<Partial<Record<"state" | "code" | "iss" | "error", string | undefined>>>;
  /** Value of the session cookie. */
  readonly session: string | null;
};

type Failed = { readonly ok: false; readonly problem: ConnectProblem };
type Connected = {
  readonly ok: true;
  readonly account: string;
  readonly workspace: string;
  /** Allows the browser to disconnect it again for an hour, without a login. Null if it was connected before. */
  readonly undo: string | null;
};

export type ConnectOutcome = (Connected | Failed) & {
  /** The browser can show the web app. */
  readonly isLoggedIn: boolean;
};

const stateLifeMs = 600_000;
const undoLifeMs = 3_600_000;
const longestAccount = 254;

type Own = Pick<WorkspaceStore, "workspaceId" | "read" | "write">;

export type Integrations = ReturnType<typeof createIntegrations>;

export function createIntegrations(terms: ConnectTerms) {
  return {
    isConfigured: terms.oauth.isConfigured,
    begin: (store: Own, provider: OauthProvider, creator: Creator) => beginConnecting(store, terms, provider, creator),
    finish: (back: CameBack) => finishConnecting(terms, back),
    /** `undo`: from what `finish` returned. False if it no longer works. */
    undo: (provider: OauthProvider, undo: string) => undoConnecting(terms, provider, undo),
    disconnect: (store: Own, id: string) => disconnect(store, terms, id),
  };
}

/** Returns the URL to open in a browser. */
async function beginConnecting(
  store: Pick<WorkspaceStore, "write">,
  { oauth, system, sealer, baseUrl }: ConnectTerms,
  provider: OauthProvider,
  creator: Creator,
): Promise<string> {
  const { label } = oauthFacts[provider];
  if (!oauth.isConfigured(provider))
    throw new Refusal(
      "integration_not_configured",
      `${label} cannot be connected: ASSAY_OAUTH_${provider.toUpperCase()}_CLIENT_ID is not set on this server.`,
    );
  const state = createSecret(system.random(secretBytes));
  const hash = hashSecret(state);
  const { url, errand } = await oauth.begin(provider, { redirectUri: toCallback(baseUrl(), provider), state });
  const now = system.now();
  const secret = sealer.seal(JSON.stringify(errand), boundTo(hash));
  const row = {
    hash,
    user_id: creator.createdBy,
    created_with: creator.createdWith?.id ?? null,
    provider,
    secret,
    created_at: now,
    expires_at: endWith(creator, now + stateLifeMs),
  };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    // Asking the provider takes seconds.
    await requireStillThere(scope, creator);
    await insertOauthState(scope, row);
  });
  return url;
}

async function finishConnecting(terms: ConnectTerms, back: CameBack): Promise<ConnectOutcome> {
  const { session: secret } = back;
  const isOne = secret !== null && isSecret(secret);
  const session = isOne ? await findSession(terms.store.read, hashSecret(secret), terms.system.now()) : undefined;
  const outcome = await finish(terms, back, session?.user_id ?? null);
  return { ...outcome, isLoggedIn: session !== undefined };
}

/** `visitor`: the user who is logged in in the browser. */
async function finish(
  terms: ConnectTerms,
  { provider, query }: CameBack,
  visitor: string | null,
): Promise<Connected | Failed> {
  const { store, system, oauth, sealer, baseUrl } = terms;
  const stateText = query.state ?? "";
  const state = isSecret(stateText) ? await store.write((db) => takeOauthState(db, hashSecret(stateText))) : undefined;
  if (state === undefined || state.provider !== provider) return refused("unknown_state");
  if (state.expires_at <= system.now()) return refused("expired");
  const { read } = storeOf(store, state.workspace_id);
  const problem = await whyNoRight(read, { state, visitor, now: system.now() });
  if (problem) return refused(problem);
  const opened = sealer.open(state.secret, boundTo(state.hash));
  if (opened === undefined) return refused("unknown_state");
  if (!oauth.isConfigured(provider)) return refused("not_configured");
  const callback = new URL(toCallback(baseUrl(), provider));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) callback.searchParams.set(name, value);
  const errand = { ...(JSON.parse(opened) as Errand), state: stateText };
  const outcome = await oauth.finish(provider, callback, errand);
  return outcome.ok ? await keepGranted(terms, { ...state, provider }, visitor, outcome.granted) : outcome;
}

type Asking = { readonly state: OauthStatesTable; readonly visitor: string | null; readonly now: number };

async function whyNoRight(scope: Scope, { state, visitor, now }: Asking): Promise<ConnectProblem | undefined> {
  const { created_with, user_id } = state;
  const isMember = async (id: string) => (await readMember(scope, id)) !== undefined;
  if (created_with === null && visitor === null) return "logged_out";
  if (visitor !== null && visitor !== user_id && (user_id !== null || !(await isMember(visitor)))) return "other_user";
  if (user_id !== null && !(await isMember(user_id))) return "not_a_member";
  if (created_with === null) return undefined;
  const { expires_at: end = 0 } = (await readToken(scope, created_with)) ?? {};
  return end !== null && end <= now ? "token_ended" : undefined;
}

class RightEnded extends Error {
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** For the audit log: a token's browser may have no session. */
async function findRecorder(
  { created_with: id, user_id: userId }: OauthStatesTable,
  visitor: string | null,
  { store }: Pick<ConnectTerms, "store">,
): Promise<Recorder | undefined> {
  const token = id === null ? undefined : await findTokenById(store.read, id);
  if (token !== undefined) return { type: "token", id: token.id, userId, name: token.name, email: null };
  return visitor === null ? undefined : toPerson(visitor);
}

/** Revokes the grant if it cannot be used. */
async function keepGranted(
  terms: ConnectTerms,
  state: OauthStatesTable & { readonly provider: OauthProvider },
  visitor: string | null,
  granted: Granted,
): Promise<Connected | Failed> {
  const { provider, workspace_id, user_id: userId } = state;
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
  const requireRight = async (scope: Scope) => {
    // It may have ended while the provider was asked.
    const why = await whyNoRight(scope, { state, visitor, now: terms.system.now() });
    if (why) throw new RightEnded(why);
  };
  const { scopes, expiresAt } = granted;
  const named = { provider, account: account.account };
  const store = storeOf(terms.store, workspace_id);
  const by = await findRecorder(state, visitor, terms);
  let kept: Kept;
  try {
    kept = await keepConnection(store, terms, { ...named, secret, scopes, expiresAt, userId, by, requireRight });
  } catch (error) {
    if (error instanceof RightEnded) return await giveBack(error.problem);
    if (error instanceof Refusal) return await giveBack(problemOf(error));
    throw error;
  }
  const [workspace] = await readWorkspaces(terms.store.read, [workspace_id]);
  const { id, connectedAt, isNew } = kept;
  const undo = isNew ? toUndo(terms, { workspaceId: workspace_id, ...named, id, connectedAt }) : null;
  return { ok: true, account: account.account, workspace: workspace?.name ?? "", undo };
}

/** A stranger may have led the person here, to read their mailbox. */
type Undo = {
  readonly workspaceId: string;
  readonly provider: OauthProvider;
  readonly account: string;
  readonly id: string;
  readonly connectedAt: number;
};

const undoPlace = "integrations/undo";

function toUndo({ sealer }: Pick<ConnectTerms, "sealer">, undo: Undo): string {
  // It is part of a path.
  return Buffer.from(sealer.seal(JSON.stringify(undo), undoPlace), "base64").toString("base64url");
}

/** False if it is no longer connected, was connected again since, is another provider's, or an hour has passed. */
async function undoConnecting(terms: ConnectTerms, wanted: OauthProvider, sealed: string): Promise<boolean> {
  const opened = terms.sealer.open(sealed, undoPlace);
  if (opened === undefined) return false;
  const { workspaceId, provider, account, id, connectedAt } = JSON.parse(opened) as Undo;
  if (provider !== wanted || terms.system.now() >= connectedAt + undoLifeMs) return false;
  try {
    await disconnect(storeOf(terms.store, workspaceId), terms, id, { connectedAt, account });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") return false;
    throw error;
  }
}

function readAccount(
  provider: OauthProvider,
  { claims, answer }: Pick<Granted, "claims" | "answer">,
): GivenAccount | null {
  const given = readGivenAccount(oauthFacts[provider], claims, answer);
  return given && { ...given, account: toStorableCut(toVisible(given.account), longestAccount) };
}

function whyNoUse(provider: OauthProvider, { scopes, refreshToken }: Granted): ConnectProblem | undefined {
  const { neededScopes, gives } = oauthFacts[provider];
  const given = scopes.map((scope) => scope.toLowerCase());
  if (!neededScopes.every((scope) => given.includes(scope.toLowerCase()))) return "scope_missing";
  return gives.is === "mailbox" && refreshToken === null ? "no_refresh" : undefined;
}

function problemOf({ code }: Refusal): ConnectProblem {
  if (code === "plan_limit") return "plan_limit";
  if (code === "invalid_url") return "bad_webhook";
  // The workspace was deleted meanwhile.
  return code === "not_found" ? "not_a_member" : "too_many";
}

function refused(problem: ConnectProblem): Failed {
  return { ok: false, problem };
}

function toCallback(baseUrl: string, provider: OauthProvider): string {
  return `${baseUrl}/api/integrations/${provider}/callback`;
}

function boundTo(hash: string): string {
  return `oauth_states/${hash}`;
}
