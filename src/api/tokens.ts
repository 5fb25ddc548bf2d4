import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, name, requestTime, timestamp } from "./primitives.ts";

const fields = {
  id: identifier("token"),
  name: z.string(),
  /** The user who made it; null for one that the server's operator made. */
  createdBy: z.string().nullable(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
};

export const apiToken = z.strictObject(fields).meta({ id: "ApiToken" });

/** `token` is shown this once. */
export const issuedApiToken = z.strictObject({ ...fields, token: z.string() }).meta({ id: "IssuedApiToken" });

export type ApiToken = z.infer<typeof apiToken>;
export type IssuedApiToken = z.infer<typeof issuedApiToken>;

export const listTokens = defineEndpoint({
  method: "GET",
  path: "/api/tokens",
  access: "member",
  summary: "The workspace's API tokens, newest first, without their secrets.",
  answer: listOf(apiToken),
});

export const issueToken = defineEndpoint({
  method: "POST",
  path: "/api/tokens",
  access: "member",
  summary: "Issues an API token for the workspace. Its secret is in this answer and nowhere else.",
  body: z.strictObject({ name, expiresAt: requestTime.nullish() }),
  answer: issuedApiToken,
});

export const revokeToken = defineEndpoint({
  method: "DELETE",
  path: "/api/tokens/:id",
  access: "member",
  summary: "Revokes an API token at once.",
  params: idParams,
  answer: null,
});
