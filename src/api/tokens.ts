import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, name, requestTime, timestamp } from "./primitives.ts";

const fields = {
  id: identifier("token"),
  name: z.string(),
  createdBy: z.string().nullable().describe("The user who made it; null: the server's operator."),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable().describe("To the minute."),
  expiresAt: timestamp.nullable().describe("Null: never."),
};

export const apiToken = z.strictObject(fields).meta({ id: "ApiToken" });

export const issuedApiToken = z
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
