import { toPerson as toRecorder } from "../../../platform/audit/rows/actors.ts";
import { recordChange, recordIf } from "../../../platform/audit/rows/recording.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { hashSecret } from "../../../platform/contract/secrets.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Caller, SessionCaller, TokenCaller } from "../../../platform/http/callers/caller.ts";
import { type Client, mayUseSetUpCode } from "../../../platform/http/client-address.ts";
import { type Call, type Route, route, type SessionCookie } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { auditedMember, auditedSession, auditedToken, auditedUser } from "../audited.ts";
import {
  acceptInvitation,
  changePassword,
  checkLink,
  endSession,
  listIdentities,
  listLogInWays,
  listSessions,
  logIn,
  logOut,
  logOutAtIssuer,
  type Person,
  readMe,
  requestReset,
  resetPassword,
  type Session,
  setUp,
  type TokenBearer,
} from "../contract/accounts.ts";
import { type ApiToken, issueToken, listTokens, revokeToken } from "../contract/tokens.ts";
import { listRolesOf, type MemberRow } from "../rows/memberships.ts";
import { listSessions as listSessionRows, removeSession, removeSessionByHash } from "../rows/sessions.ts";
import { listTokens as listTokenRows } from "../rows/tokens.ts";
import { listIdentities as listIdentityRows, readUser } from "../rows/users.ts";
import { readFirstWorkspaceId } from "../rows/workspaces.ts";
import { whyPasswordIsWeak } from "../rules/passwords.ts";
import { hasPlans } from "../rules/plans.ts";
import type { ApiTokensTable, SessionsTable } from "../tables.ts";
import { creatorOf } from "../work/callers.ts";
import { hasPassword } from "../work/password-use.ts";
import type { StartedSession } from "../work/sessions.ts";
import * as tasks from "../work/tokens.ts";
import { readShownWorkspaces } from "./workspaces.ts";

export const accountRoutes: readonly Route[] = [
  route(setUp, async ({ body: { token, code, ...wanted }, client, cookie }, dependencies) => {
    if (code != null) checkSetUpCode(code, wanted, client, dependencies);
    else if (token == null) throw new Refusal("invalid_request", '"token" or "code" is required.', { field: "token" });
    const owner = { ...wanted, token: code == null ? (token ?? "") : null };
    return welcome(await dependencies.accounts.setUp(owner, client), cookie, dependencies);
  }).recording({ action: "setup.complete", object: auditedUser, log: "person" }),

  route(checkLink, async ({ body: { kind, token } }, { accounts }) => {
    await accounts.checkLink(kind, token);
    return undefined;
  }).recording({ nothing: "It only checks a link." }),

  route(logIn, async ({ body, client, cookie }, dependencies) => {
    const browser = { ...client, knownBrowser: cookie.knownBrowser };
    return welcome(await dependencies.accounts.logIn(body, browser), cookie, dependencies);
  }).recording({ action: "login.success", log: "person", failuresOf: "email", effect: "maybe" }),

  route(logOut, async ({ cookie }, dependencies) => {
    await forgetSession(cookie, dependencies, recordLogOut);
    cookie.end();
    return undefined;
  }).recording({ action: "login.end", log: "person", effect: "maybe" }),

  route(changePassword, async ({ body, caller, cookie, client }, { accounts, events }) => {
    const { userId, session } = caller;
    const { knownBrowser } = cookie;
    const { address } = client;
    await accounts.changePassword({ ...body, userId, sessionId: session.id, knownBrowser, address });
    events.recheck([userId]);
    return undefined;
  }).recording({ action: "password.change", object: auditedUser, log: "person", failuresOf: null }),

  route(acceptInvitation, async ({ body, client, cookie }, dependencies) => {
    const wanted = { ...body, name: body.name ?? null };
    const browser = { ...client, knownBrowser: cookie.knownBrowser };
    const { accounts, countFailedLogin } = dependencies;
    const started = await accounts.acceptInvitation(wanted, browser).catch(async (error: unknown) => {
      const isWrong = error instanceof Refusal && error.code === "invalid_credentials";
      const email = isWrong ? await accounts.findInvitedEmail(body.token) : undefined;
      if (email !== undefined) await countFailedLogin(email, client.address);
      throw error;
    });
    return welcome(started, cookie, dependencies);
  }).recording({ action: "invitation.accept", object: auditedMember, log: "person" }),

  route(resetPassword, async ({ body, client, cookie }, dependencies) =>
    welcome(await dependencies.accounts.resetPassword(body, client), cookie, dependencies),
  ).recording({ action: "password.reset", log: "person" }),

  route(requestReset, async ({ body, client }, { resetRequests, resetLimits }) => {
    resetLimits.client(client.address);
    resetLimits.server("");
    resetRequests.request(body.email, client.address);
    return undefined;
  }).recording({ nothing: "The email is sent after the response. That is recorded if there is such an account." }),
];

function checkSetUpCode(
  code: string,
  { password, email, name }: Record<"password" | "email" | "name", string>,
  client: Client,
  { firstOwner, config }: Server,
): void {
  if (!mayUseSetUpCode(client, config))
    throw new Refusal(
      "forbidden",
      "The setup code works only in a browser on the server's own computer. Open the setup link instead.",
    );
  const weakness = whyPasswordIsWeak(password, [email, name]);
  firstOwner.checkCode(code, weakness === null ? "" : ` The password ${weakness}.`);
}

/** Otherwise the browser's previous session would stay open with no way to end it. */
export async function welcome(
  { userId, secret, isPending, hasSecondFactor }: StartedSession,
  cookie: Call["cookie"],
  dependencies: Server,
): Promise<Person> {
  await forgetSession(cookie, dependencies);
  // A new password ends the sessions of the old one, and a session too many ends the oldest.
  dependencies.events.recheck([userId]);
  cookie.set(secret);
  if (isPending) throw new Refusal("second_factor_required", "This account needs a second factor to log in.");
  const person = await toPerson(userId, hasSecondFactor, dependencies);
  cookie.setKnownBrowser(dependencies.accounts.rememberBrowser(person.user.email));
  return person;
}

export async function forgetSession(
  { secret }: SessionCookie,
  { store, events }: Pick<Server, "store" | "events">,
  record = (_userId: string) => {},
): Promise<void> {
  if (secret === null) return;
  const ended = await store.write(async (db) => {
    const session = await removeSessionByHash(db, hashSecret(secret));
    if (session !== undefined) record(session.user_id);
    return session;
  });
  if (ended !== undefined) events.recheck([ended.id]);
}

function recordLogOut(userId: string): void {
  recordChange({ by: toRecorder(userId) });
}

export const sessionRoutes: readonly Route[] = [
  route(listSessions, async ({ caller }, { store, system }) => {
    const rows = await listSessionRows(store.read, caller.userId, system.now());
    return { items: rows.map((row) => toSession(row, caller)) };
  }),

  route(endSession, async ({ caller, params, cookie }, { store, events }) => {
    const isEnded = await store.write(async (db) => recordIf(await removeSession(db, caller.userId, params.id)));
    if (!isEnded) throw new Refusal("not_found", "Session not found.");
    events.recheck([params.id]);
    if (isCurrent(params.id, caller)) cookie.end();
    return undefined;
  }).recording({ action: "session.revoke", object: auditedSession, log: "person" }),
];

function toSession(row: SessionsTable, caller: SessionCaller): Session {
  return {
    id: row.id,
    current: isCurrent(row.id, caller),
    address: row.address,
    agent: row.agent,
    createdAt: toTimestamp(row.created_at),
    lastSeenAt: toTimestamp(row.last_seen_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}

function isCurrent(id: string, { session }: SessionCaller): boolean {
  return session.id === id;
}

export const tokenRoutes: readonly Route[] = [
  route(listTokens, async ({ store }) => {
    const rows = await listTokenRows(store.read);
    const joined = await tasks.listJoinedWith(store.read);
    return { items: rows.map((row) => toApiToken(row, joined.get(row.id))) };
  }),

  route(issueToken, async ({ store, caller, body }, { system, plans }) => {
    const { name, scope, expiresAt = null, label = null } = body;
    const wanted = { name, scope, label, expiresAt, ...creatorOf(caller), plans };
    const { row, token } = await tasks.issueToken(store, system, wanted);
    return { ...toApiToken(row), token };
  }).recording({ action: "token.create", object: auditedToken }),

  route(revokeToken, async ({ workspaceId, store, caller, params: { id } }, { events }) => {
    await tasks.revokeToken(store, id, caller.memberships.get(workspaceId) ?? "member");
    // With the tokens that it created.
    events.recheck([workspaceId]);
    return undefined;
  }).recording({ action: "token.revoke", object: auditedToken }),
];

function toApiToken(row: ApiTokensTable, joined: readonly MemberRow[] = []): ApiToken {
  return {
    id: row.id,
    name: row.name,
    createdBy: row.created_by,
    createdWith: row.created_with,
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: toTimestampOrNull(row.last_used_at),
    lastUsedAddress: row.last_used_address,
    scope: row.scope,
    label: row.label,
    expiresAt: toTimestampOrNull(row.expires_at),
    invited: joined.map(({ user_id }) => user_id),
  };
}

export const loginRoutes: readonly Route[] = [
  route(listLogInWays, (_call, { otherLogins, config, alertMailer }) => ({
    passwords: config.login === "oidc" ? ("emergency" as const) : ("everyone" as const),
    resetByEmail: alertMailer.missing().length === 0,
    issuers: [...otherLogins.ways.values()],
  })),

  route(logOutAtIssuer, async ({ cookie }, { otherLogins, store, events }) => {
    const url = await otherLogins.findLogOutUrl(cookie.secret);
    await forgetSession(cookie, { store, events }, recordLogOut);
    cookie.end();
    return { url };
  }).recording({ action: "login.end", log: "person", effect: "maybe" }),

  route(listIdentities, async ({ caller: { userId } }, server) => {
    if (userId === null) return { items: [], password: false, connectable: [] };
    const { ways } = server.otherLogins;
    const rows = await listIdentityRows(server.store.read, userId);
    const connectable = [...ways].filter(([issuer]) => !rows.some((row) => row.issuer === issuer));
    return {
      items: rows.map(({ id, issuer, email, created_at, last_login_at }) => ({
        id,
        issuer: ways.get(issuer)?.name ?? null,
        label: ways.get(issuer)?.label ?? issuer,
        email,
        createdAt: toTimestamp(created_at),
        lastLoginAt: toTimestamp(last_login_at),
      })),
      password: await hasPassword(server, await readUser(server.store.read, userId)),
      connectable: connectable.map(([, { name, label }]) => ({ name, label })),
    };
  }),
];

export const meRoutes: readonly Route[] = [
  route(readMe, ({ caller }, dependencies) =>
    caller.via === "session"
      ? toPerson(caller.userId, caller.session.second_factor_at !== null, dependencies)
      : toTokenBearer(caller, dependencies),
  ),
];

type WorkspaceRoles = Parameters<typeof readShownWorkspaces>[1];

async function toTokenBearer(
  { token, userId, memberships }: TokenCaller,
  standing: WorkspaceRoles,
): Promise<TokenBearer> {
  return {
    via: "token",
    user: userId === null ? null : await toUser(standing.store.read, userId),
    token: {
      id: token.id,
      name: token.name,
      expiresAt: toTimestampOrNull(token.expires_at),
      scope: token.scope,
      label: token.label,
    },
    workspaces: await toWorkspaces(memberships, standing),
  };
}

/** A user who is logged in, or has just logged in. */
async function toPerson(userId: string, hasSecondFactor: boolean, standing: WorkspaceRoles): Promise<Person> {
  const db = standing.store.read;
  const workspaces = await toWorkspaces(await listRolesOf(db, userId), standing);
  const first = await readFirstWorkspaceId(db);
  const marked = workspaces.map((workspace) => ({
    ...workspace,
    secondFactorMissing: workspace.requiresSecondFactor && !hasSecondFactor,
    operator: workspace.role === "owner" && workspace.id === first,
  }));
  return { via: "session", user: await toUser(db, userId), hasPlans: hasPlans(standing.plans), workspaces: marked };
}

async function toUser(db: Db, id: string): Promise<Person["user"]> {
  const user = await readUser(db, id);
  return { id, name: user?.name ?? "", email: user?.email ?? "" };
}

async function toWorkspaces(
  roles: Caller["memberships"],
  standing: WorkspaceRoles,
): Promise<TokenBearer["workspaces"]> {
  const workspaces = await readShownWorkspaces([...roles.keys()], standing);
  return workspaces.map((workspace) => ({ ...workspace, role: roles.get(workspace.id) ?? "member" }));
}
