// Connections to other services (src/decisions.md, "Integrations"). OAuth begins here and ends in the callback.

import { z } from "zod";
import { integrationProviders } from "../integrations/integration.ts";
import { defineEndpoint } from "./endpoint.ts";
import { integrationRecord } from "./integration-record.ts";
import { idParams, listOf } from "./primitives.ts";

export type { ConnectProblem } from "../integrations/oauth-provider.ts";
export type Integration = z.infer<typeof integrationRecord>;

const providerParams = z.strictObject({
  provider: z
    .string()
    .describe(`One of ${integrationProviders.filter((provider) => provider !== "imap").join(", ")}.`),
});

export const listIntegrations = defineEndpoint({
  method: "GET",
  path: "/api/integrations",
  access: "member",
  summary:
    "Every provider: a row for each connection of the workspace's, and one with `id` null where it has none. There `scopes` are those that will be asked for.",
  answer: listOf(integrationRecord),
});

export const connectIntegration = defineEndpoint({
  method: "GET",
  path: "/api/integrations/:provider/connect",
  access: "member",
  summary:
    "The address to open in a browser that is logged in here as the same user, within 10 minutes and once. An API token acts for its creator; one of the server's operator is nobody's, and is refused.",
  params: providerParams,
  answer: z
    .strictObject({ url: z.string().describe("A page of the provider's, where consent is given.") })
    .meta({ id: "ConnectAddress" }),
  errors: ["integration_not_configured"],
});

export const finishIntegration = defineEndpoint({
  method: "GET",
  path: "/api/integrations/:provider/callback",
  access: "public",
  summary:
    "Where the provider sends the browser back to; it leads on to the page of integrations, with `connected` or `problem`. For the browser of who began it: a replayed or foreign `state`, a denied consent, another server's answer or another user's session connects nothing. A query parameter that is not listed is passed over.",
  params: providerParams,
  // Providers add parameters of their own.
  query: z.object({
    state: z.string().optional().describe("As the connect address had it."),
    code: z.string().optional().describe("What the consent is redeemed with."),
    iss: z.string().optional().describe("RFC 9207."),
    error: z.string().optional().describe("Why there is no consent, like `access_denied`."),
  }),
  answer: { mediaType: "text/html" },
  status: 302,
});

export const deleteIntegration = defineEndpoint({
  method: "DELETE",
  path: "/api/integrations/:id",
  access: "member",
  summary:
    "Disconnects: what it keeps is removed, the alert webhook that connecting made with it, and the provider is asked to revoke what it gave, unless another connection lives of the same consent. What was seen in a mailbox stays with its tests.",
  params: idParams,
  answer: null,
});
