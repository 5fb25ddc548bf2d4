// The pages that one-time links open. What the link bears stands behind the # and never reaches the server in an address.

import { z } from "zod";
import { links } from "../accounts/links.ts";
import { defineEndpoint } from "./endpoint.ts";

const page = { method: "GET", access: "public", answer: { mediaType: "text/html" } } as const;

export const readSetUpPage = defineEndpoint({
  ...page,
  path: links.setUp.path,
  summary: "The page that the set-up link opens.",
});

export const readInvitationPage = defineEndpoint({
  ...page,
  path: links.invitation.path,
  summary: "The page that an invitation opens.",
});

export const readResetPage = defineEndpoint({
  ...page,
  path: links.passwordReset.path,
  summary: "The page that a link for a new password opens.",
});

export const readAccountScript = defineEndpoint({
  method: "GET",
  path: "/account.js",
  access: "public",
  summary: "The script of these pages.",
  answer: { mediaType: "text/javascript" },
});

export const readOpenApi = defineEndpoint({
  method: "GET",
  path: "/api/openapi.json",
  access: "public",
  summary: "This interface as an OpenAPI 3.1 document.",
  answer: z.looseObject({ openapi: z.string() }),
});
