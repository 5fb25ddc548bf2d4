import { toLoginSetCookie, toOwnPath } from "../../platform/contract/login-cookie.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Client } from "../../platform/http/client-address.ts";
import { type Route, route } from "../../platform/route.ts";
import { forgetSession } from "../people/routes/accounts.ts";
import { listIdentities as listRows, readUser } from "../people/rows/users.ts";
import { hasPassword } from "../people/work/password-use.ts";
import {
  beginOidcLogIn,
  connectIdentity,
  disconnectIdentity as disconnectEndpoint,
  finishOidcLogIn,
  linkByPassword,
  receiveLogOut,
} from "./contract.ts";
import type { LogInProblem } from "./words.ts";
import { auditedIdentity } from "./work/arrive.ts";
import { disconnectIdentity } from "./work/grant-roles.ts";

/** A logout token has some hundred bytes. */
const longestForm = 16_384;
const accountPage = "/settings/you";

export const oidcRoutes: readonly Route[] = [
  route(beginOidcLogIn, async ({ params, query, client }, { oidc, oidcLimits }) => {
    oidcLimits.logIn(client.address);
    const issuer = oidc.find(params.issuer);
    const asked = { next: query.next, connect: query.connect, asOther: query.again !== undefined };
    const begun = await oidc.begin(issuer, asked);
    return begun.ok
      ? lead(begun.url, client, begun.cookie)
      : lead(toLogInPage(begun.problem, issuer.name, toOwnPath(query.next)), client, null);
  }),

  route(finishOidcLogIn, async ({ params, query, client, cookie }, dependencies) => {
    const { oidc, store, events, oidcLimits, countFailedLogin } = dependencies;
    oidcLimits.logIn(client.address);
    const issuer = oidc.find(params.issuer);
    const back = { query, cookie: cookie.login, session: cookie.secret, browser: client };
    const finished = await oidc.finish(issuer, back);
    if (!finished.ok) {
      const { problem, next, refused } = finished;
      if (refused !== undefined) await countFailedLogin(refused, client.address);
      const isConnecting = problem === "taken" || problem === "other_person";
      const page = isConnecting
        ? `${accountPage}?${new URLSearchParams({ problem, at: issuer.name })}`
        : toLogInPage(problem, issuer.name, next);
      return lead(page, client, finished.cookie);
    }
    if (finished.session !== null) {
      await forgetSession(cookie, { store, events });
      // Groups may have taken a role away.
      events.recheck([finished.session.userId]);
      cookie.set(finished.session.secret);
    }
    return lead(finished.next, client, null);
  }).recording({ action: "login.success", log: "person", effect: "maybe" }),

  route(linkByPassword, async ({ body, cookie, client }, { oidc, countFailedLogin }) => {
    try {
      return { path: await oidc.link(cookie.login, body.password) };
    } catch (error) {
      const email = oidc.findLinkedEmail(cookie.login);
      const isWrong = error instanceof Refusal && error.code === "invalid_credentials";
      if (isWrong && email !== undefined) await countFailedLogin(email, client.address);
      throw error;
    }
  }).recording({ action: "identity.connect", object: auditedIdentity, log: "person", effect: "maybe" }),

  route(receiveLogOut, async ({ params, body, client }, { oidc, oidcLimits, events }) => {
    oidcLimits.logOut(client.address);
    const issuer = oidc.find(params.issuer);
    const form = new URLSearchParams(Buffer.from(await body.read(longestForm)).toString("utf8"));
    const [token, ...others] = form.getAll("logout_token");
    if (token === undefined || others.length > 0)
      throw new Refusal("invalid_request", '"logout_token" is required.', { field: "logout_token" });
    events.recheck(await oidc.noteLogOut(issuer, token));
    return {};
  }).recording({ nothing: "The sessions that it ends are recorded where they are found." }),

  route(connectIdentity, async ({ caller, body }, { oidc, accounts, store }) => {
    if (caller.via !== "session")
      throw new Refusal("forbidden", "Only a person in a browser can connect their account. Log in there.");
    const issuer = oidc.find(body.issuer);
    const user = await readUser(store.read, caller.userId);
    if (user?.password_hash) await accounts.checkPassword(user.email, body.password ?? "");
    return { path: oidc.toConnectPath(issuer, caller.userId, accountPage) };
  }).recording({ nothing: "It returns the path of a login. Connecting is finished there.", failuresOf: null }),

  route(disconnectEndpoint, async ({ caller: { userId }, params: { id } }, dependencies) => {
    const { oidc, store, system, events } = dependencies;
    const rows = userId === null ? [] : await listRows(store.read, userId);
    if (userId === null || !rows.some((row) => row.id === id)) throw new Refusal("not_found", "Connection not found.");
    const others = rows.filter((row) => row.id !== id && oidc.ways.has(row.issuer));
    const user = await readUser(store.read, userId);
    if (others.length === 0 && !(await hasPassword(dependencies, user)))
      throw new Refusal("conflict", "This is the only way to log in to your account. Connect another one first.");
    await store.write((db) => disconnectIdentity(db, { userId, id, at: system.now() }));
    events.recheck([userId]);
    return undefined;
  }).recording({ action: "identity.disconnect", object: auditedIdentity, log: "person" }),
];

/** `cookie`: of the login. Null ends it. */
function lead(location: string, { secure }: Pick<Client, "secure">, cookie: string | null): Response {
  return new Response(null, {
    status: 302,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "set-cookie": toLoginSetCookie(cookie, secure),
      location,
    },
  });
}

function toLogInPage(problem: LogInProblem, at: string, next: string): string {
  return `/login?${new URLSearchParams({ problem, at, ...(next !== "/" && { next }) })}`;
}
