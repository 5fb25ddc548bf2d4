// Login at an organization's issuer (src/decisions.md, "Log in with an organization"). Paths that a browser opens answer
// with redirects, and problems are shown on the login page.

import { z } from "zod";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import type { RefusalCode } from "../../platform/errors.ts";
import { longestPassword } from "../people/rules/passwords.ts";

const issuerParams = z.strictObject({ issuer: z.string().describe("Its name in the ASSAY_OIDC file.") });
const next = z
  .string()
  .max(2_000)
  .optional()
  .describe("Where to go afterwards: a path on this server. Anything else leads to Home.");

const errors = ["forbidden", "rate_limited", "overloaded"] as const satisfies readonly RefusalCode[];

export const beginOidcLogIn = defineEndpoint({
  method: "GET",
  path: "/api/oidc/:issuer/start",
  access: "public",
  summary:
    "Redirects the browser to the organization’s login page, or to this server’s login page with `problem` if it isn’t available.",
  params: issuerParams,
  query: z.strictObject({
    next,
    again: z.literal("1").optional().describe("Ask for another account than the one that is logged in there."),
    connect: z.string().max(3_000).optional().describe("From `POST /api/identities`."),
  }),
  answer: { mediaType: "text/html" },
  status: 302,
  errors: ["not_found", "rate_limited", "overloaded"],
});

export const finishOidcLogIn = defineEndpoint({
  method: "GET",
  path: "/api/oidc/:issuer/callback",
  access: "public",
  summary:
    "Handles the organization’s answer, sets the session cookie, and redirects the browser. Must be opened in the browser that started the login. Unknown query parameters are ignored.",
  params: issuerParams,
  // Issuers add their own parameters.
  query: z.object({
    state: z.string().optional().describe("As in the login request."),
    code: z.string().optional().describe("The authorization code."),
    iss: z.string().optional().describe("RFC 9207."),
    error: z.string().optional().describe("Why there is no code, such as `access_denied`."),
  }),
  answer: { mediaType: "text/html" },
  status: 302,
  errors: ["not_found", "rate_limited", "overloaded"],
});

export const linkByPassword = defineEndpoint({
  method: "POST",
  path: "/api/auth/oidc/link",
  access: "public",
  summary:
    "After a login at an organization whose email address already has an account: connects that account, using its password. Returns the path that completes the login. Must be called from the browser that started the login.",
  body: z
    .strictObject({ password: z.string().max(longestPassword) })
    .meta({ examples: [{ password: "lamp quarrel tundra" }] }),
  answer: z.strictObject({ path: z.string() }).meta({ id: "LogInPath" }),
  status: 200,
  errors: [...errors, "invalid_link", "invalid_credentials", "second_factor_required", "conflict"],
});

export const receiveLogOut = defineEndpoint({
  method: "POST",
  path: "/api/oidc/:issuer/logout",
  access: "public",
  summary:
    "For organizations: ends sessions, using a signed logout token in the form field `logout_token` (OpenID Connect Back-Channel Logout 1.0).",
  params: issuerParams,
  body: { mediaType: "application/x-www-form-urlencoded" },
  answer: z.strictObject({}).meta({ id: "LoggedOut" }),
  status: 200,
  errors: ["not_found", "forbidden", "rate_limited", "overloaded"],
});

export const connectIdentity = defineEndpoint({
  method: "POST",
  path: "/api/identities",
  access: "caller",
  token: "person",
  summary:
    "Begins to connect the caller’s account with an organization. Returns the path to open in the same browser. Needs a session, and the account’s password if it has one.",
  body: z
    .strictObject({ issuer: z.string().max(100), password: z.string().max(longestPassword).optional() })
    .meta({ examples: [{ issuer: "company", password: "lamp quarrel tundra" }] }),
  answer: z.strictObject({ path: z.string() }).meta({ id: "ConnectPath" }),
  errors: ["not_found", "invalid_credentials", "overloaded"],
});

export const disconnectIdentity = defineEndpoint({
  method: "DELETE",
  path: "/api/identities/:id",
  access: "caller",
  token: "person",
  summary:
    "Disconnects the caller’s account from an organization. Roles that came from there and sessions that began there end. Refused if it is the only way to log in.",
  errors: ["conflict"],
});
