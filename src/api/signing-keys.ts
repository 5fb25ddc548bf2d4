// The keys that a workspace's own mail is signed with (decisions §5).

import { z } from "zod";
import { keyAlgorithms } from "../mail/signing-algorithms.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

export const signingKey = z
  .strictObject({
    id: identifier("signingKey"),
    domain: z.string().describe("In A-labels and lower case."),
    selector: z.string(),
    algorithm: z.enum(keyAlgorithms).describe("rsa: of 2,048 bits."),
    record: z
      .strictObject({ name: z.string(), type: z.literal("TXT"), value: z.string() })
      .describe("What the domain is to publish, the value as one piece."),
    published: z
      .boolean()
      .nullable()
      .describe(
        "Whether this key stands in DNS, as it is now; mail is signed with it only then. Null: DNS did not answer.",
      ),
    createdAt: timestamp,
  })
  .meta({ id: "SigningKey" });
export type SigningKey = z.infer<typeof signingKey>;

export const listSigningKeys = defineEndpoint({
  method: "GET",
  path: "/api/signing-keys",
  access: "member",
  summary: "The workspace's signing keys, oldest first, each looked up in DNS. No private key is ever shown.",
  answer: listOf(signingKey),
});

export const createSigningKeys = defineEndpoint({
  method: "POST",
  path: "/api/signing-keys",
  access: "member",
  summary:
    "Makes keys to sign a domain's mail with: of the algorithm, or one of each that the domain has none of. Answers the new ones.",
  body: z
    .strictObject({
      domain: z
        .string()
        .max(2_000)
        .describe("A name that somebody can register, or one below it; of a web or mail address its domain."),
      algorithm: z.enum(keyAlgorithms).optional().describe("Absent: both."),
    })
    .meta({ examples: [{ domain: "example.com" }, { domain: "example.com", algorithm: "ed25519" }] }),
  answer: listOf(signingKey),
  errors: ["conflict"],
});

export const deleteSigningKey = defineEndpoint({
  method: "DELETE",
  path: "/api/signing-keys/:id",
  access: "member",
  summary:
    "Deletes a signing key: nothing is signed with it any more. Leave its record in DNS until what it signed has arrived.",
  params: idParams,
  answer: null,
});
