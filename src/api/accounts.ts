// Everything under /api/auth/ shares one limit for each client address (src/decisions.md, "Access").

import { z } from "zod";
import { longestPassword } from "../accounts/passwords.ts";
import { roles } from "../accounts/roles.ts";
import type { RefusalCode } from "../errors.ts";
import { defineEndpoint } from "./endpoint.ts";
import { email, identifier, idParams, listOf, name, requestTime, timestamp } from "./primitives.ts";
import { workspace } from "./workspaces.ts";

const user = z.strictObject({ id: identifier("user"), name: z.string(), email: z.string() });

const workspaces = z.array(z.strictObject({ ...workspace.shape, role: z.enum(roles) }));

const viaSession = z.strictObject({ via: z.literal("session"), user, workspaces });

const viaToken = z.strictObject({
  via: z.literal("token"),
  user: user.nullable().describe("Who made the token; null: the server's operator."),
  token: z.strictObject({ id: identifier("token"), name: z.string(), expiresAt: timestamp.nullable() }),
  workspaces,
});

export type TokenBearer = z.infer<typeof viaToken>;

/** Somebody who is logged in: what every way to log in answers. */
const person = viaSession.meta({ id: "Person" });
export type Person = z.infer<typeof person>;

const me = z.discriminatedUnion("via", [person, viaToken]).meta({ id: "Me" });

export const readMe = defineEndpoint({
  method: "GET",
  path: "/api/me",
  access: "caller",
  summary: "Who is asking, and which workspaces they have.",
  answer: me,
});

const session = z
  .strictObject({
    id: identifier("session"),
    current: z.boolean().describe("The one that asks."),
    address: z.string().describe("Of the client that logged in."),
    agent: z.string().describe("What its browser called itself."),
    createdAt: timestamp,
    lastSeenAt: timestamp.describe("To the minute."),
    expiresAt: timestamp.describe("Put off by each use."),
  })
  .meta({ id: "Session" });

export type Session = z.infer<typeof session>;

export const listSessions = defineEndpoint({
  method: "GET",
  path: "/api/sessions",
  access: "caller",
  summary:
    "Where the caller is logged in, newest first; of a token its creator. The server's operator has none.",
  answer: listOf(session),
});

export const endSession = defineEndpoint({
  method: "DELETE",
  path: "/api/sessions/:id",
  access: "caller",
  summary: "Ends a session of the caller's at once.",
  params: idParams,
  answer: null,
});

const password = z.string().max(longestPassword);
const newPassword = password.describe("At least 10 characters, and none of the most common.");
const linkToken = z.string().max(200).describe("What stands behind the # of the link.");

const aToken = "Zk3vQx8mT1cW6yB0nR5uJ9eH2sL7dP4gF_aKiVoXtYw";
const aPassword = "lamp quarrel tundra";

/** A page of another address may not ask for these, and nobody too often. */
const errors = ["forbidden", "rate_limited", "overloaded"] as const satisfies readonly RefusalCode[];

const sessionNote = "The answer sets the session's cookie.";

export const setUp = defineEndpoint({
  method: "POST",
  path: "/api/auth/setup",
  access: "public",
  summary: `Makes the first owner, with the set-up link that the server printed. ${sessionNote}`,
  body: z
    .strictObject({ token: linkToken, name, email, password: newPassword })
    .meta({ examples: [{ token: aToken, name: "Ann", email: "ann@example.com", password: aPassword }] }),
  answer: person,
  errors: [...errors, "invalid_link", "conflict"],
});

export const logIn = defineEndpoint({
  method: "POST",
  path: "/api/auth/login",
  access: "public",
  summary: `Logs in. ${sessionNote} After ten failures an account answers ever slower.`,
  body: z
    .strictObject({ email, password })
    .meta({ examples: [{ email: "ann@example.com", password: aPassword }] }),
  answer: person,
  status: 200,
  errors: [...errors, "invalid_credentials"],
});

export const logOut = defineEndpoint({
  method: "POST",
  path: "/api/auth/logout",
  access: "public",
  summary: "Ends the session whose cookie comes with the request, if any does.",
  answer: null,
  errors,
});

export const changePassword = defineEndpoint({
  method: "POST",
  path: "/api/auth/password",
  access: "caller",
  summary: "Changes the caller's password and ends all their other sessions.",
  body: z
    .strictObject({ current: password, next: newPassword })
    .meta({ examples: [{ current: aPassword, next: "another lamp under tundra" }] }),
  answer: null,
  errors: [...errors, "invalid_credentials"],
});

export const acceptInvitation = defineEndpoint({
  method: "POST",
  path: "/api/auth/invite/accept",
  access: "public",
  summary: `Accepts an invitation. Whoever has an account with the invited address gives its password and needs no name; anyone else chooses both. ${sessionNote}`,
  body: z
    .strictObject({
      token: linkToken,
      name: name.nullish().meta({ missing: "missing_name" }),
      password: newPassword,
    })
    .meta({ examples: [{ token: aToken, name: "Ben", password: aPassword }] }),
  answer: person,
  errors: [...errors, "invalid_link", "invalid_credentials", "conflict"],
});

export const resetPassword = defineEndpoint({
  method: "POST",
  path: "/api/auth/reset",
  access: "public",
  summary: `Sets a new password, with the link that assay user reset-password printed. ${sessionNote}`,
  body: z
    .strictObject({ token: linkToken, password: newPassword })
    .meta({ examples: [{ token: aToken, password: aPassword }] }),
  answer: person,
  status: 200,
  errors: [...errors, "invalid_link"],
});

const fields = {
  id: identifier("token"),
  name: z.string(),
  createdBy: z.string().nullable().describe("The user who made it; null: the server's operator."),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable().describe("To the minute."),
  expiresAt: timestamp.nullable().describe("Null: never."),
};

const apiToken = z.strictObject(fields).meta({ id: "ApiToken" });

const issuedApiToken = z
  .strictObject({ ...fields, token: z.string().describe("Shown this once.") })
  .meta({ id: "IssuedApiToken" });

export type ApiToken = z.infer<typeof apiToken>;
export type IssuedApiToken = z.infer<typeof issuedApiToken>;

export const listTokens = defineEndpoint({
  method: "GET",
  path: "/api/tokens",
  access: "member",
  summary: "The workspace's API tokens, oldest first, without their secrets.",
  answer: listOf(apiToken),
});

export const issueToken = defineEndpoint({
  method: "POST",
  path: "/api/tokens",
  access: "member",
  summary: "Issues an API token for the workspace. Its secret is in this answer and nowhere else.",
  body: z
    .strictObject({ name, expiresAt: requestTime.nullish().describe("Null or absent: never.") })
    .meta({ examples: [{ name: "Build server", expiresAt: "2027-11-21T00:00:00Z" }] }),
  answer: issuedApiToken,
  errors: ["plan_limit"],
});

export const revokeToken = defineEndpoint({
  method: "DELETE",
  path: "/api/tokens/:id",
  access: "member",
  summary: "Revokes an API token at once.",
  params: idParams,
  answer: null,
});
