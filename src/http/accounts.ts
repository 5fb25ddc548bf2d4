import { hashSecret } from "../accounts/secrets.ts";
import { acceptInvitation, changePassword, logIn, logOut, resetPassword, setUp } from "../api/accounts.ts";
import type { Person } from "../api/me.ts";
import { Refusal } from "../errors.ts";
import { removeSessionByHash } from "../store/sessions.ts";
import type { StartedSession } from "../tasks/sessions.ts";
import type { Dependencies } from "./dependencies.ts";
import { toPerson } from "./me.ts";
import { type Call, type Route, route, type SessionCookie } from "./route.ts";

export const accountRoutes: readonly Route[] = [
  route(setUp, async ({ body, client, cookie }, dependencies) =>
    welcome(await dependencies.accounts.setUp(body, client), cookie, dependencies),
  ),

  route(logIn, async ({ body, client, cookie }, dependencies) =>
    welcome(await dependencies.accounts.logIn(body, client), cookie, dependencies),
  ),

  route(logOut, async ({ cookie }, { store }) => {
    await forgetSession(cookie, store);
    cookie.end();
    return undefined;
  }),

  route(changePassword, async ({ body, caller }, { accounts }) => {
    const { userId } = caller;
    if (userId === null)
      throw new Refusal("forbidden", "This token is the server operator's, who has no password here.");
    const sessionId = caller.via === "session" ? caller.session.id : null;
    await accounts.changePassword({ ...body, userId, sessionId });
    return undefined;
  }),

  route(acceptInvitation, async ({ body, client, cookie }, dependencies) => {
    const wanted = { ...body, name: body.name ?? null };
    return welcome(await dependencies.accounts.acceptInvitation(wanted, client), cookie, dependencies);
  }),

  route(resetPassword, async ({ body, client, cookie }, dependencies) =>
    welcome(await dependencies.accounts.resetPassword(body, client), cookie, dependencies),
  ),
];

/** The session that the browser had before would otherwise stay, with nobody who could end it. */
async function welcome(
  { userId, secret }: StartedSession,
  cookie: Call["cookie"],
  dependencies: Dependencies,
): Promise<Person> {
  await forgetSession(cookie, dependencies.store);
  cookie.set(secret);
  return await toPerson(userId, dependencies);
}

async function forgetSession({ secret }: SessionCookie, store: Dependencies["store"]): Promise<void> {
  if (secret !== null) await store.write((db) => removeSessionByHash(db, hashSecret(secret)));
}
