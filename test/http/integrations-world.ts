// A workspace with an owner in a browser, and providers on loopback.

import { createAccessTokens } from "../../src/features/mailboxes/oauth/access-tokens.ts";
import type { Role } from "../../src/platform/contract/roles.ts";
import type { OauthProvider } from "../../src/platform/settings/config.ts";
import { clientId, clientSecret, giveConsent, type OauthServerOptions, startOauthServer } from "../oauth-server.ts";
import { type HttpWorldOptions, startHttpWorld } from "./http-world.ts";

/** Google's part is played by an authorization server on loopback. */
export async function worldWithGoogle(serverOptions: OauthServerOptions = {}, options: HttpWorldOptions = {}) {
  const server = await startOauthServer(serverOptions);
  const oauth = {
    oauthClientId: { google: clientId },
    oauthClientSecret: { google: clientSecret },
    oauthIssuer: { google: server.issuer },
  };
  return { ...(await worldInBrowser({ oauth, ...options })), server };
}

export async function worldInBrowser(options: HttpWorldOptions) {
  const world = await startHttpWorld(options);
  // Providers live by the true time.
  world.clock.nowMs = Date.now();
  const { id: workspace } = await world.createWorkspace("Ours");
  const owner = await world.addPerson(workspace, "owner", "Ann");
  const ask = (method: string, path: string, cookie = owner.cookie) => world.ask(method, path, { cookie, workspace });
  const begin = async (provider: OauthProvider = "google", cookie = owner.cookie) => {
    const { status, json } = await ask("GET", `/api/integrations/${provider}/connect`, cookie);
    if (status !== 200) throw new Error(`connect answered ${status} ${JSON.stringify(json)}`);
    return json.url as string;
  };
  /** The browser follows the provider's redirect; null: one that is not logged in. */
  const comeBack = async (back: URL, cookie: string | null = owner.cookie) => {
    const answer = await world.ask("GET", back.pathname + back.search, cookie === null ? {} : { cookie });
    return { ...answer, location: answer.headers.get("location") ?? "" };
  };
  return {
    ...world,
    askAs: world.ask,
    workspace,
    owner,
    ask,
    begin,
    comeBack,
    connect: async () => await comeBack(await giveConsent(await begin())),
    join: (role: Role) => world.addPerson(workspace, role, "Ben"),
    /** Rows of what is connected. */
    listConnected: async () =>
      (await ask("GET", "/api/integrations")).json.items.filter(({ id }: { id: string | null }) => id !== null),
    createAccessTokens: (store = world.store) =>
      createAccessTokens({ store, system: world.system, sealer: world.integrationSealer, oauth: world.oauth }),
  };
}
