// Addresses that a workspace receives its tests at (decisions §4).

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

export const seedInbox = z
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
