// A service that a workspace is connected to, or could be: one row each, and one for a provider without any.

import { z } from "zod";
import { integrationProviders, integrationStatuses } from "../integrations/integration.ts";
import { providers } from "../placement/provider.ts";
import { identifier, timestamp } from "./primitives.ts";

export const integrationRecord = z
  .strictObject({
    id: identifier("integration").nullable().describe("Null: the workspace is not connected."),
    provider: z.enum(integrationProviders),
    label: z.string(),
    purpose: z.string(),
    configured: z.boolean().describe("Whether this server can connect it: its OAuth client is set."),
    connected: z.boolean(),
    account: z.string().nullable().describe("The mailbox's address, or the channel's name."),
    connectedAt: timestamp.nullable(),
    status: z.enum(integrationStatuses).nullable(),
    problem: z.string().nullable().describe("What a person should know; null while all is well."),
    statusSince: timestamp.nullable(),
    scopes: z.array(z.string()),
    seedProvider: z
      .enum(providers)
      .nullable()
      .describe("Whose placement a seed mailbox shows; null: its own alone."),
    server: z
      .strictObject({ host: z.string(), port: z.number(), tls: z.boolean() })
      .nullable()
      .describe("Of a mailbox. tls: from the first byte; else by STARTTLS."),
  })
  .meta({ id: "Integration" });
