// Logins at an organization, by OpenID Connect.

import { createRateLimit } from "../../platform/http/rate-limit.ts";
import { defineFeature } from "../../platform/server.ts";
import type { Config } from "../../platform/settings/config.ts";
import { createSealerFor } from "../../platform/system/secret-key.ts";
import { examineLoginProviders } from "./doctor.ts";
import { oidcRoutes } from "./routes.ts";
import { hasSessionsOfOthers, removeSessionsOfOthers } from "./rows.ts";
import { loadIssuers } from "./work/load-issuers.ts";
import { createOidc, type Oidc } from "./work/oidc.ts";
import { loginSecrets } from "./work/secrets.ts";
import { loginSealing } from "./work/tickets.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly oidc: Oidc;
    /** Each counts a request of a client's address, or refuses it. */
    readonly oidcLimits: Readonly<Record<"logIn" | "logOut", (address: string) => void>>;
  }
}

/** Each makes us ask an issuer. A whole office may share one address, and a login has two requests. */
const logInLimit = { requests: 240, windowMs: 60_000 };
/** Issuers log out many people at once. */
const logOutLimit = { requests: 600, windowMs: 60_000 };

const readIssuers = async ({ login, oidc }: Config) => (login === "password" ? [] : await loadIssuers(oidc));

export const oidc = defineFeature({
  name: "OIDC",
  says: "Lets people log in at their organization.",
  secrets: loginSecrets,
  examinations: { "Login providers": examineLoginProviders },
  routes: oidcRoutes,
  check: readIssuers,
  open: async (server) => {
    const { config, store, system, accounts, baseUrl } = server;
    const issuers = await readIssuers(config);
    const keys = issuers.map(({ key }) => key);
    // Hardly ever, so most starts write nothing here.
    if (await hasSessionsOfOthers(store.read, keys)) await store.write((db) => removeSessionsOfOthers(db, keys));
    const sealer = createSealerFor(server, loginSealing);
    const oidc = createOidc({ ...server, issuers, sealer, checkPassword: accounts.checkPassword, baseUrl });
    return {
      oidc,
      otherLogins: oidc,
      oidcLimits: {
        logIn: createRateLimit({ ...logInLimit, now: system.now }),
        logOut: createRateLimit({ ...logOutLimit, now: system.now }),
      },
    };
  },
});
