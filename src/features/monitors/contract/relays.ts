// The mail servers that a workspace's canaries are sent through.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { type FieldRefusals, identifier, listOf, name, timestamp } from "../../../platform/contract/primitives.ts";

const url = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ invalid: "invalid_url" } satisfies FieldRefusals);

const mailFrom = z
  .string()
  .min(1)
  .max(900)
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals)
  .describe("The sender of canaries: an address, or a name with an address in angle brackets.");

const returnPath = z
  .enum(["assay", "sender"])
  .describe(
    "Where bounces go. `assay`: to a signed address at this server, so that they are recognized. `sender`: to the sender's address, for relays that accept no other return path. Then bounces are not seen here.",
  );

export const relay = z
  .strictObject({
    id: identifier("relay"),
    name: z.string(),
    url: z.string().describe("Without the password, which is never shown again."),
    hasLogin: z.boolean(),
    mailFrom: z.string(),
    returnPath,
    createdAt: timestamp,
  })
  .meta({ id: "Relay" });
export type Relay = z.infer<typeof relay>;

export const listRelays = defineEndpoint({
  method: "GET",
  path: "/api/relays",
  token: "read",
  summary: "Lists the workspace's relays, oldest first, and whether canaries can use the server's own relay.",
  answer: z.strictObject({
    items: listOf(relay).shape.items,
    hasServerRelay: z
      .boolean()
      .describe("Whether canaries can also be sent through the server's own relay (ASSAY_SEND_SMTP_URL)."),
  }),
});

export const createRelay = defineEndpoint({
  method: "POST",
  path: "/api/relays",
  token: "admin",
  summary:
    "Adds a relay. Non-public addresses are rejected unless the server operator allows them. The relay is not contacted yet.",
  body: z
    .strictObject({
      name,
      url: url.describe(
        "`smtp://` (default port 587) or `smtps://` (default port 465), with the user name and password if the relay needs them. With a password, TLS with a valid certificate is required.",
      ),
      mailFrom,
      returnPath: returnPath.default("assay"),
    })
    .meta({
      examples: [
        { name: "Transactional", url: "smtp://user:password@relay.example:587", mailFrom: "Shop <canary@example.com>" },
      ],
    }),
  answer: relay,
  errors: ["conflict", "invalid_url", "invalid_email"],
});

export const changeRelay = defineEndpoint({
  method: "PATCH",
  path: "/api/relays/:id",
  token: "admin",
  summary: "Updates a relay. Omitted fields stay unchanged. A new URL must contain the password again.",
  body: z
    .strictObject({ name, url, mailFrom, returnPath })
    .partial()
    .meta({ examples: [{ name: "Newsletters" }, { mailFrom: "canary@example.com" }] }),
  answer: relay,
  errors: ["conflict", "invalid_url", "invalid_email", "missing_name"],
});

export const deleteRelay = defineEndpoint({
  method: "DELETE",
  path: "/api/relays/:id",
  token: "admin",
  summary: "Deletes a relay that no canary uses.",
  errors: ["conflict"],
});

export const testRelay = defineEndpoint({
  method: "POST",
  path: "/api/relays/:id/test",
  token: "admin",
  summary: "Connects to a relay, starts TLS, and logs in. Sends no message.",
  answer: z
    .strictObject({
      works: z.boolean(),
      problem: z.string().nullable().describe("What went wrong, with the relay's reply. `null` if it works."),
    })
    .meta({ id: "RelayTest" }),
  status: 200,
  errors: ["overloaded"],
});
