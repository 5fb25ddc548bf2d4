// Everything under /api/auth/ shares one limit for each client address (decisions §3).

import { z } from "zod";
import { longestPassword } from "../accounts/passwords.ts";
import type { RefusalCode } from "../errors.ts";
import { defineEndpoint } from "./endpoint.ts";
import { person } from "./me.ts";
import { email, name } from "./primitives.ts";

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
