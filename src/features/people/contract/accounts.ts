// All paths under /api/auth/ share one rate limit per client address (src/decisions.md, "Access").

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { email, identifier, listOf, name, timestamp } from "../../../platform/contract/primitives.ts";
import { roles } from "../../../platform/contract/roles.ts";
import type { RefusalCode } from "../../../platform/errors.ts";
import { longestPassword } from "../rules/passwords.ts";
import { tokenLimits } from "./tokens.ts";
import { workspace } from "./workspaces.ts";

const password = z.string().max(longestPassword);

const user = z.strictObject({ id: identifier("user"), name: z.string(), email: z.string() });

const standing = { ...workspace.shape, role: z.enum(roles) };
const workspaces = z.array(z.strictObject(standing));

const viaSession = z.strictObject({
  via: z.literal("session"),
  user,
  hasPlans: z.boolean().describe("Whether the server has plans that limit what a workspace may use."),
  workspaces: z.array(
    z.strictObject({
      ...standing,
      secondFactorMissing: z
        .boolean()
        .describe("The workspace requires a second factor, and this session was started without one."),
      operator: z
        .boolean()
        .describe("Whether the caller may change the server's settings, as an owner of its first workspace."),
    }),
  ),
});

const viaToken = z.strictObject({
  via: z.literal("token"),
  user: user.nullable().describe("The user who created the token. `null` for tokens created by the server operator."),
  token: z.strictObject({ id: identifier("token"), name: z.string(), expiresAt: timestamp.nullable(), ...tokenLimits }),
  workspaces,
});

export type TokenBearer = z.infer<typeof viaToken>;

/** A logged-in user: the answer of every endpoint that logs in. */
const person = viaSession.meta({ id: "Person" });
export type Person = z.infer<typeof person>;
export { password, person as newPerson };

const me = z.discriminatedUnion("via", [person, viaToken]).meta({ id: "Me" });

export const readMe = defineEndpoint({
  method: "GET",
  path: "/api/me",
  access: "caller",
  token: "read",
  labelToken: "handler",
  summary: "Returns the caller and their workspaces.",
  answer: me,
});

const session = z
  .strictObject({
    id: identifier("session"),
    current: z.boolean().describe("Whether this session made the request."),
    address: z.string().describe("IP address of the client that logged in."),
    agent: z.string().describe("User agent of the client that logged in."),
    createdAt: timestamp,
    lastSeenAt: timestamp.describe("Accurate to the minute."),
    expiresAt: timestamp.describe("Extended with each use."),
  })
  .meta({ id: "Session" });

export type Session = z.infer<typeof session>;

export const listSessions = defineEndpoint({
  method: "GET",
  path: "/api/sessions",
  access: "caller",
  token: "person",
  summary: "Lists the caller's sessions, newest first.",
  answer: listOf(session),
});

export const endSession = defineEndpoint({
  method: "DELETE",
  path: "/api/sessions/:id",
  access: "caller",
  token: "person",
  summary: "Ends one of the caller's sessions immediately.",
});

const newPassword = password.describe("At least 10 characters. Common passwords are rejected.");
const linkToken = z.string().max(200).describe("The part of the link after the #.");

const aToken = "Zk3vQx8mT1cW6yB0nR5uJ9eH2sL7dP4gF_aKiVoXtYw";
const aPassword = "lamp quarrel tundra";

/** Requests from pages on other sites are refused, and the number of requests is limited. */
const errors = ["forbidden", "rate_limited", "overloaded"] as const satisfies readonly RefusalCode[];

const sessionNote = "Sets the session cookie.";

export const setUp = defineEndpoint({
  method: "POST",
  path: "/api/auth/setup",
  access: "public",
  summary: `Creates the first owner, using the setup link that the server printed, or the setup code next to it. ${sessionNote}`,
  body: z
    .strictObject({
      token: linkToken.nullish(),
      code: z
        .string()
        .max(100)
        .nullish()
        .describe(
          "Instead of `token`: the setup code. Only in requests from the server's own computer that didn't pass through a proxy and use a name such as `localhost`. After 10 wrong codes, it stops working.",
        ),
      name,
      email,
      password: newPassword,
    })
    .meta({ examples: [{ token: aToken, name: "Ann", email: "ann@example.com", password: aPassword }] }),
  answer: person,
  errors: [...errors, "invalid_link", "conflict"],
});

export const checkLink = defineEndpoint({
  method: "POST",
  path: "/api/auth/link",
  access: "public",
  summary: "Checks that a setup, invitation or password reset link still works, without using it up.",
  body: z
    .strictObject({ kind: z.enum(["setUp", "invitation", "passwordReset"]), token: linkToken })
    .meta({ examples: [{ kind: "setUp", token: aToken }] }),
  errors: [...errors, "invalid_link"],
});

export const logIn = defineEndpoint({
  method: "POST",
  path: "/api/auth/login",
  access: "public",
  summary: `Logs in. ${sessionNote} After 10 failed attempts on an account, each response takes longer. If the account has a second factor, the response is \`second_factor_required\`, and the cookie is only for POST /api/auth/second-factor.`,
  body: z.strictObject({ email, password }).meta({ examples: [{ email: "ann@example.com", password: aPassword }] }),
  answer: person,
  status: 200,
  errors: [...errors, "invalid_credentials", "second_factor_required"],
});

export const logOut = defineEndpoint({
  method: "POST",
  path: "/api/auth/logout",
  access: "public",
  summary: "Ends the session whose cookie is sent with the request, if any.",
  errors,
});

export const changePassword = defineEndpoint({
  method: "POST",
  path: "/api/auth/password",
  access: "caller",
  token: "person",
  summary: "Changes the caller's password and ends all other sessions.",
  body: z
    .strictObject({ current: password, next: newPassword })
    .meta({ examples: [{ current: aPassword, next: "another lamp under tundra" }] }),
  errors: [...errors, "invalid_credentials", "conflict"],
});

export const acceptInvitation = defineEndpoint({
  method: "POST",
  path: "/api/auth/invite/accept",
  access: "public",
  summary: `Accepts an invitation. If the invited address already has an account, send its password and no name. Otherwise, choose a name and a password. ${sessionNote}`,
  body: z
    .strictObject({ token: linkToken, name: name.nullish().meta({ missing: "missing_name" }), password: newPassword })
    .meta({ examples: [{ token: aToken, name: "Ben", password: aPassword }] }),
  answer: person,
  errors: [...errors, "invalid_link", "invalid_credentials", "second_factor_required", "conflict"],
});

export const resetPassword = defineEndpoint({
  method: "POST",
  path: "/api/auth/reset",
  access: "public",
  summary: `Sets a new password, using the link from the email or from \`assay user reset-password\`. Ends all other sessions. ${sessionNote}`,
  body: z
    .strictObject({ token: linkToken, password: newPassword })
    .meta({ examples: [{ token: aToken, password: aPassword }] }),
  answer: person,
  status: 200,
  errors: [...errors, "invalid_link", "second_factor_required", "conflict"],
});

export const requestReset = defineEndpoint({
  method: "POST",
  path: "/api/auth/reset/request",
  access: "public",
  summary:
    "Sends an email with a link to set a new password, if an account with a password has this address. The link works once, for 60 minutes. The response is the same for all addresses, and comes before the address is looked up. A mailbox gets at most 3 such emails an hour and 6 a day. Needs a relay (GET /api/login-ways).",
  body: z.strictObject({ email }).meta({ examples: [{ email: "ann@example.com" }] }),
  errors: [...errors, "email_not_configured"],
});

const shownIssuer = { name: z.string(), label: z.string() };

export const listLogInWays = defineEndpoint({
  method: "GET",
  path: "/api/login-ways",
  access: "public",
  summary: "Returns how people can log in to this server.",
  answer: z
    .strictObject({
      passwords: z
        .enum(["everyone", "emergency"])
        .describe("Who can log in with a password: everyone who has one, or only emergency accounts."),
      resetByEmail: z
        .boolean()
        .describe("Whether this server can send a password reset link (POST /api/auth/reset/request)."),
      issuers: z
        .array(z.strictObject({ ...shownIssuer, path: z.string().describe("Where a browser begins.") }))
        .describe("Organizations to log in with."),
    })
    .meta({ id: "LogInWays" }),
  errors: ["rate_limited", "overloaded"],
});

export const logOutAtIssuer = defineEndpoint({
  method: "POST",
  path: "/api/auth/oidc/logout",
  access: "public",
  summary:
    "Ends the session whose cookie is sent with the request, if any, and returns the organization’s logout page to open next.",
  answer: z
    .strictObject({
      url: z.string().nullable().describe("`null` if the session didn’t begin at an organization with such a page."),
    })
    .meta({ id: "LogOutAddress" }),
  status: 200,
  errors,
});

const identity = z
  .strictObject({
    id: identifier("identity"),
    issuer: z.string().nullable().describe("`null` if this server no longer uses it."),
    label: z.string(),
    email: z.string().nullable().describe("As the organization last reported it."),
    createdAt: timestamp,
    lastLoginAt: timestamp,
  })
  .meta({ id: "Identity" });

export const listIdentities = defineEndpoint({
  method: "GET",
  path: "/api/identities",
  access: "caller",
  token: "person",
  summary:
    "Returns how the caller can log in: whether their account has a password that works here, and the organizations that it is connected with.",
  answer: z
    .strictObject({
      ...listOf(identity).shape,
      password: z.boolean(),
      connectable: z.array(z.strictObject(shownIssuer)).describe("Organizations that can be connected."),
    })
    .meta({ id: "Identities" }),
});
