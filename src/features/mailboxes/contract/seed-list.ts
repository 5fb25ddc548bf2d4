// Where to send a test so that it is analyzed here and seen in every seed mailbox.

import { z } from "zod";
import { providers } from "../../../analyzer/placement/provider.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf } from "../../../platform/contract/primitives.ts";
import { integrationStatuses } from "../../events/contract.ts";

const seedAddress = z
  .strictObject({
    kind: z
      .enum(["inbox", "mailbox"])
      .describe("`inbox`: the active seed inbox, which the test requires. `mailbox`: a mailbox at a provider."),
    address: z
      .string()
      .nullable()
      .describe("`null` if only the mailbox's username is known and it is not an email address."),
    account: z.string().describe("The mailbox's name, usually its address."),
    provider: z
      .enum(providers)
      .nullable()
      .describe("The provider whose placement it represents. `null` if it counts only for itself."),
    status: z
      .enum(integrationStatuses)
      .describe(
        "Connection status of the mailbox. With `reconnect`, no mail is seen until a person reconnects the mailbox.",
      ),
    integrationId: identifier("integration").nullable().describe("`null` for the seed inbox."),
  })
  .meta({ id: "SeedAddress" });
export type SeedAddress = z.infer<typeof seedAddress>;

export const readSeedList = defineEndpoint({
  method: "GET",
  path: "/api/seed-list",
  token: "read",
  summary:
    "Lists the addresses to send one message to: the active seed inbox first, then the connected mailboxes, oldest first. Also returns a new token that identifies this message.",
  answer: listOf(seedAddress)
    .extend({
      token: z
        .string()
        .describe(
          "Put it anywhere in the text or in an `X-Assay-Id` header. Identifies the message even if a provider changes its Message-ID or subject. Use each token for one message.",
        ),
    })
    .meta({ id: "SeedList" }),
});

export const readSeedListText = defineEndpoint({
  method: "GET",
  path: "/api/seed-list.txt",
  token: "read",
  summary:
    "Lists the same addresses as text, one per line, without mailboxes that need to be reconnected. For pasting into a sending platform.",
  answer: { mediaType: "text/plain" },
});
