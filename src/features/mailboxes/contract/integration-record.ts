// A service that a workspace is or can be connected to: one row per connection, and one for each provider without any.

import { z } from "zod";
import { providers } from "../../../analyzer/placement/provider.ts";
import { identifier, timestamp } from "../../../platform/contract/primitives.ts";
import { integrationStatuses } from "../../events/contract.ts";
import { integrationProviders } from "../rules/list.ts";

export const integrationRecord = z
  .strictObject({
    id: identifier("integration").nullable().describe("`null` if the workspace is not connected."),
    provider: z.enum(integrationProviders),
    label: z.string(),
    purpose: z.string(),
    configured: z.boolean().describe("Whether this server can connect it, because its OAuth client is configured."),
    connected: z.boolean(),
    account: z.string().nullable().describe("The mailbox address or the channel name."),
    connectedAt: timestamp.nullable(),
    status: z.enum(integrationStatuses).nullable(),
    problem: z.string().nullable().describe("What needs attention. `null` if everything works."),
    statusSince: timestamp.nullable(),
    scopes: z.array(z.string()),
    seedProvider: z
      .enum(providers)
      .nullable()
      .describe("The provider whose placement a seed mailbox represents. `null` if it counts only for itself."),
    server: z
      .strictObject({ host: z.string(), port: z.number(), tls: z.boolean() })
      .nullable()
      .describe("For mailboxes. `tls`: TLS from the start. Otherwise STARTTLS."),
    reads: z
      .enum(["placement", "tests"])
      .nullable()
      .describe("What a mailbox is read for. `tests`: each new message becomes a test."),
  })
  .meta({ id: "Integration" });
