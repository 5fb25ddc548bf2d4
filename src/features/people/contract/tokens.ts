import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, name, requestTime, timestamp } from "../../../platform/contract/primitives.ts";
import { tokenScopes } from "../../../platform/contract/token-scopes.ts";
import { testLabel } from "../../tests/contract/test-filters.ts";

export const tokenLimits = {
  scope: z
    .enum(tokenScopes)
    .describe(
      "What the token may do in its workspace, within its creator's role. `read`: see everything. `write`: also send, upload, analyze, share, and delete tests, and manage domains and monitors. `admin`: also change settings and connections. `full`: also manage members, tokens, the plan, and the workspace itself, like its creator when logged in.",
    ),
  label: z
    .string()
    .nullable()
    .describe("If set, the token only reaches tests with exactly this label, and sends only under it."),
};

const fields = {
  id: identifier("token"),
  name: z.string(),
  createdBy: z.string().nullable().describe("The user who created it. `null` for the server operator."),
  createdWith: z
    .string()
    .nullable()
    .describe("The token that created it, and with which it ends. `null` if a person or the server operator did."),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable().describe("Accurate to the minute."),
  lastUsedAddress: z.string().nullable().describe("IP address of the client that used it then."),
  ...tokenLimits,
  expiresAt: timestamp.nullable().describe("`null` if it never expires."),
  invited: z
    .array(z.string())
    .describe(
      "The members who joined with an invitation from it, or from a token that it created. They stay when it is revoked. Known as far back as the audit log goes.",
    ),
};

const apiToken = z.strictObject(fields).meta({ id: "ApiToken" });

const issuedApiToken = z
  .strictObject({ ...fields, token: z.string().describe("Shown only once.") })
  .meta({ id: "IssuedApiToken" });

export type ApiToken = z.infer<typeof apiToken>;
export type IssuedApiToken = z.infer<typeof issuedApiToken>;

export const listTokens = defineEndpoint({
  method: "GET",
  path: "/api/tokens",
  token: "admin",
  summary: "Lists the workspace's API tokens, oldest first, without their secrets.",
  answer: listOf(apiToken),
});

export const issueToken = defineEndpoint({
  method: "POST",
  path: "/api/tokens",
  token: "full",
  summary:
    "Creates an API token for the workspace. The secret is shown only in this response. A token that a token creates ends with it: when that is revoked, or expires.",
  body: z
    .strictObject({
      name,
      expiresAt: requestTime
        .nullish()
        .describe("Omit or set to `null` for a token that never expires, or expires with the token that creates it."),
      scope: tokenLimits.scope.default("full"),
      label: testLabel.nullish().describe("Omit or set to `null` for a token that reaches all tests."),
    })
    .meta({
      examples: [
        { name: "Build server", scope: "write", label: "ci", expiresAt: "2027-11-21T00:00:00Z" },
        { name: "Reporting", scope: "read" },
      ],
    }),
  answer: issuedApiToken,
  errors: ["plan_limit", "conflict"],
});

export const revokeToken = defineEndpoint({
  method: "DELETE",
  path: "/api/tokens/:id",
  token: "full",
  summary:
    "Revokes an API token immediately, with the tokens, invitations, and share links that it created. Its event streams end. Only an owner can revoke a token of an owner or of the server operator.",
});
