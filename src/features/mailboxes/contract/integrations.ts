// Connections to other services (src/decisions.md, "Integrations"). OAuth starts here and ends in the callback.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { listOf } from "../../../platform/contract/primitives.ts";
import { oauthProviders } from "../rules/list.ts";
import { integrationRecord } from "./integration-record.ts";

export type Integration = z.infer<typeof integrationRecord>;

const providerParams = z.strictObject({ provider: z.string().describe(`One of ${oauthProviders.join(", ")}.`) });

export const listIntegrations = defineEndpoint({
  method: "GET",
  path: "/api/integrations",
  token: "read",
  summary:
    "Lists all providers: one row for each of the workspace's connections, and one with `id` set to `null` for each provider without a connection. The `scopes` of such a row are those that will be requested.",
  answer: listOf(integrationRecord),
});

export const connectIntegration = defineEndpoint({
  method: "GET",
  path: "/api/integrations/:provider/connect",
  token: "admin",
  summary:
    "Returns the URL to open in a browser. It works once, for 10 minutes. One that an API token requested needs no login in the browser, and ends with the token. Any person who opens it and consents connects their account to this workspace, so keep it secret.",
  params: providerParams,
  answer: z.strictObject({ url: z.string().describe("The provider's consent page.") }).meta({ id: "ConnectAddress" }),
  errors: ["integration_not_configured"],
});

export const finishIntegration = defineEndpoint({
  method: "GET",
  path: "/api/integrations/:provider/callback",
  access: "public",
  summary:
    "Handles the OAuth callback. Redirects a browser that is logged in to the integrations page, with `connected` or `problem`. Any other browser gets a page that says what was connected. A replayed or mismatched `state`, denied consent, another user's session, or a token that was revoked does not connect anything. Unknown query parameters are ignored.",
  params: providerParams,
  // Providers add their own parameters.
  query: z.object({
    state: z.string().optional().describe("As in the connect URL."),
    code: z.string().optional().describe("The authorization code."),
    iss: z.string().optional().describe("RFC 9207."),
    error: z.string().optional().describe("Why consent was not given, such as `access_denied`."),
  }),
  headers: z.strictObject({ accept: z.string().optional().describe("With `text/html`, errors are web pages.") }),
  answer: { mediaType: "text/html" },
  emptyStatus: 302,
  errors: ["invalid_link"],
});

/** Neither a login nor a token: the page that the callback showed to this browser has the secret. */
export const undoIntegration = defineEndpoint({
  method: "POST",
  path: "/api/integrations/:provider/undo/:undo",
  access: "public",
  summary:
    "Disconnects what the callback connected in a browser without a login. If the account was not connected before, the callback's page has a button for it, which works for an hour.",
  params: providerParams.extend({ undo: z.string().max(4_000).describe("From the page.") }),
  headers: z.strictObject({ accept: z.string().optional().describe("With `text/html`, errors are web pages.") }),
  body: { mediaType: "application/x-www-form-urlencoded" },
  status: 200,
  answer: { mediaType: "text/html" },
  errors: ["invalid_link"],
});

export const deleteIntegration = defineEndpoint({
  method: "DELETE",
  path: "/api/integrations/:id",
  token: "admin",
  summary:
    "Disconnects a service and removes its stored data and the alert webhook that it created. The provider is asked to revoke access, unless another connection uses the same consent. Mailbox observations are kept with their tests.",
});
