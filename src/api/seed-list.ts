// Where to mail a test, so that it is analysed here and seen in every seed mailbox.

import { z } from "zod";
import { integrationStatuses } from "../integrations/integration.ts";
import { providers } from "../placement/provider.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, listOf } from "./primitives.ts";

const seedAddress = z
  .strictObject({
    kind: z
      .enum(["inbox", "mailbox"])
      .describe("inbox: the active seed inbox, without which there is no test. mailbox: of a provider."),
    address: z
      .string()
      .nullable()
      .describe("Null: of the mailbox only a user name is known that is no e-mail address."),
    account: z.string().describe("The mailbox's name, mostly its address."),
    provider: z
      .enum(providers)
      .nullable()
      .describe("Whose placement the mailbox shows; null: its own alone."),
    status: z
      .enum(integrationStatuses)
      .describe("How the mailbox fares; in one to `reconnect` nothing is seen until a person has mended it."),
    integrationId: identifier("integration").nullable().describe("Null: of the seed inbox."),
  })
  .meta({ id: "SeedAddress" });
export type SeedAddress = z.infer<typeof seedAddress>;

export const readSeedList = defineEndpoint({
  method: "GET",
  path: "/api/seed-list",
  access: "member",
  summary:
    "The addresses to mail one message to: the active seed inbox first, then the connected mailboxes, oldest first. With it a fresh token, which tells apart what was seen of this message from what was seen of another.",
  answer: listOf(seedAddress)
    .extend({
      token: z
        .string()
        .describe(
          "To be put anywhere into the text, or into a header `X-Assay-Id`. A message is known by it even where a provider changes its Message-ID or subject; use it for one message.",
        ),
    })
    .meta({ id: "SeedList" }),
});

export const readSeedListText = defineEndpoint({
  method: "GET",
  path: "/api/seed-list.txt",
  access: "member",
  summary:
    "The same addresses as text, one a line, without mailboxes in which nothing is seen: to paste into a sending platform.",
  answer: { mediaType: "text/plain" },
});
