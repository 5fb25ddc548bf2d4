// Addresses where a workspace receives its tests (src/decisions.md, "Seed inboxes").

import { z } from "zod";
import { integrationStatuses } from "../integrations/integration.ts";
import { providers } from "../placement/provider.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

const seedInbox = z
  .strictObject({
    id: identifier("seedInbox"),
    address: z.string(),
    localPart: z.string(),
    domain: z.string(),
    label: z.string().nullable(),
    active: z.boolean().describe("Of a workspace one is; samples go there if it receives."),
    receives: z
      .boolean()
      .describe("False: the server's settings name its domain no more, and mail to it is refused."),
    createdAt: timestamp,
  })
  .meta({ id: "SeedInbox" });

export type SeedInbox = z.infer<typeof seedInbox>;

/** No plus sign, which begins a label; dots as senders may write them without quotes (RFC 5321 §4.1.2). */
const localPart = z
  .string()
  .max(64)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i)
  .transform((text) => text.toLowerCase());

const label = z.string().trim().min(1).max(100).nullable();

export const listSeedInboxes = defineEndpoint({
  method: "GET",
  path: "/api/seed-inboxes",
  access: "member",
  summary: "The workspace's seed inboxes, oldest first.",
  answer: listOf(seedInbox),
});

export const createSeedInbox = defineEndpoint({
  method: "POST",
  path: "/api/seed-inboxes",
  access: "member",
  summary: "Creates a seed inbox; it receives at once and is not active.",
  body: z
    .strictObject({
      localPart: localPart
        .optional()
        .describe("Letters, digits, dots, hyphens and underscores; 10 random characters unless given."),
      domain: z
        .string()
        .max(255)
        .optional()
        .describe("A seed domain of this server; its first unless given."),
      label: label.default(null),
    })
    .meta({ examples: [{ localPart: "welcome-flow", label: "Welcome mails" }] }),
  answer: seedInbox,
  errors: ["conflict", "plan_limit"],
});

export const changeSeedInbox = defineEndpoint({
  method: "PATCH",
  path: "/api/seed-inboxes/:id",
  access: "member",
  summary:
    "Renames a seed inbox, or makes it the active one instead of the one that is; false hands that to the oldest other.",
  params: idParams,
  body: z
    .strictObject({ active: z.boolean().optional(), label: label.optional() })
    .meta({ examples: [{ active: true }, { label: "Welcome mails" }] }),
  answer: seedInbox,
  errors: ["conflict"],
});

export const deleteSeedInbox = defineEndpoint({
  method: "DELETE",
  path: "/api/seed-inboxes/:id",
  access: "member",
  summary: "Deletes a seed inbox. Its tests stay; its address goes to no other workspace for 180 days.",
  params: idParams,
  answer: null,
  errors: ["conflict"],
});

// Where to mail a test, so that it is analysed here and seen in every seed mailbox.

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
