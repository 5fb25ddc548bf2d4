// Addresses where a workspace receives its tests (src/decisions.md, "Seed inboxes").

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, oneLine, timestamp } from "../../../platform/contract/primitives.ts";

const seedInbox = z
  .strictObject({
    id: identifier("seedInbox"),
    address: z.string(),
    localPart: z.string(),
    domain: z.string(),
    label: z.string().nullable(),
    active: z.boolean().describe("Each workspace has one active inbox. Samples are sent there if it receives mail."),
    receives: z
      .boolean()
      .describe("`false`: its domain is no longer a seed domain of this server, so mail to it is rejected."),
    createdAt: timestamp,
  })
  .meta({ id: "SeedInbox" });

export type SeedInbox = z.infer<typeof seedInbox>;

/** No plus sign, which starts a label. Dots only where they need no quotes (RFC 5321 §4.1.2). */
const localPart = z
  .string()
  .max(64)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i)
  .transform((text) => text.toLowerCase());

const label = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(...oneLine)
  .nullable();

export const listSeedInboxes = defineEndpoint({
  method: "GET",
  path: "/api/seed-inboxes",
  token: "read",
  labelToken: "handler",
  summary: "Lists the workspace's seed inboxes, oldest first.",
  answer: listOf(seedInbox),
});

export const createSeedInbox = defineEndpoint({
  method: "POST",
  path: "/api/seed-inboxes",
  token: "admin",
  summary: "Creates a seed inbox. It receives mail immediately, but is not the active one.",
  body: z
    .strictObject({
      localPart: localPart
        .optional()
        .describe("Letters, digits, dots, hyphens, and underscores. Defaults to 10 random characters."),
      domain: z.string().max(255).optional().describe("A seed domain of this server. Defaults to its first."),
      label: label.default(null),
    })
    .meta({ examples: [{ localPart: "welcome-flow", label: "Welcome emails" }] }),
  answer: seedInbox,
  errors: ["conflict", "plan_limit"],
});

export const changeSeedInbox = defineEndpoint({
  method: "PATCH",
  path: "/api/seed-inboxes/:id",
  token: "admin",
  summary: "Renames a seed inbox or makes it the active one. With `false`, the oldest other inbox becomes active.",
  body: z
    .strictObject({ active: z.boolean().optional(), label: label.optional() })
    .meta({ examples: [{ active: true }, { label: "Welcome emails" }] }),
  answer: seedInbox,
  errors: ["conflict"],
});

export const deleteSeedInbox = defineEndpoint({
  method: "DELETE",
  path: "/api/seed-inboxes/:id",
  token: "admin",
  summary:
    "Deletes a seed inbox. Its tests are kept. Its address is reserved for 180 days before another workspace can use it.",
  errors: ["conflict"],
});
