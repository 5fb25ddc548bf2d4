// The pages that one-time links open. The token is in the link's fragment, which browsers don't send to the server.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { links } from "../rules/links.ts";

const page = { method: "GET", access: "public", answer: { mediaType: "text/html" } } as const;

export const readSetUpPage = defineEndpoint({
  ...page,
  path: links.setUp.path,
  summary: "Returns the page that the setup link opens.",
});

export const readInvitationPage = defineEndpoint({
  ...page,
  path: links.invitation.path,
  summary: "Returns the page that an invitation link opens.",
});

export const readResetPage = defineEndpoint({
  ...page,
  path: links.passwordReset.path,
  summary: "Returns the page that a password reset link opens.",
});

export const readAccountScript = defineEndpoint({
  method: "GET",
  path: "/account.js",
  access: "public",
  summary: "Returns the script that these pages load.",
  answer: { mediaType: "text/javascript" },
});

export const readOpenApi = defineEndpoint({
  method: "GET",
  path: "/api/openapi.json",
  access: "public",
  summary: "Returns the OpenAPI 3.1 document for this API.",
  answer: z.looseObject({ openapi: z.string() }),
});
