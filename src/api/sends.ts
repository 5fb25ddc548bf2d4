// Samples that Assay sends itself, to see how they arrive (src/decisions.md, "Sending").

import { z } from "zod";
import { sendStatuses, sendTransports } from "../mail/send-token.ts";
import { keyAlgorithms } from "../mail/signing/signing-algorithms.ts";
import { defineEndpoint } from "./endpoint.ts";
import {
  type FieldRefusals,
  identifier,
  idParams,
  listOf,
  pageOf,
  pageQuery,
  timestamp,
} from "./primitives.ts";

/** Beside a whole header field (RFC 5322 §2.1.1). */
const longestText = 900;
const longestLabel = 200;

const transport = z
  .enum(sendTransports)
  .describe("relay: through ASSAY_SEND_SMTP_URL. loopback: straight to this server's own listener.");
const messageId = z.string().describe("Without angle brackets.");

const address = z
  .string()
  .min(1)
  .max(longestText)
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals);

export const sendTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/send-test",
  access: "member",
  summary:
    "Sends a sample to a seed inbox of the workspace and answers when the other side has taken it; the test that comes of it bears `send_id`. Line breaks, NUL and what decodes to them are refused in every field but html and text, where line breaks are text.",
  body: z
    .strictObject({
      subject: z.string().min(1).max(longestText),
      from: address.describe(
        "An address, or a name with an address in angle brackets: a seed address of the workspace, or an address at exactly a domain that is verified for it. ASCII before the @; a domain may be written in any script.",
      ),
      to: address
        .optional()
        .describe(
          "A seed inbox of the workspace, a label behind a plus sign allowed; its active one unless given.",
        ),
      html: z
        .string()
        .min(1)
        .optional()
        .describe("Stands with `text` in place of the sample's whole content."),
      text: z.string().min(1).optional(),
      label: z
        .string()
        .min(1)
        .max(longestLabel)
        .optional()
        .describe("Of the test that comes of it, where the address has none."),
    })
    .meta({
      examples: [
        { subject: "How well does our mail arrive?", from: "Ann <ann@example.com>" },
        { subject: "Order 4711", from: "shop@example.com", text: "Thank you.", label: "receipt" },
      ],
    }),
  answer: z
    .strictObject({
      id: identifier("send"),
      to: z.string(),
      from: z.string(),
      messageId,
      transport,
      queuedAt: timestamp,
    })
    .meta({ id: "QueuedSend" }),
  status: 202,
  errors: ["plan_limit", "send_failed", "overloaded", "not_found"],
});

export const send = z
  .strictObject({
    id: identifier("send"),
    createdAt: timestamp,
    label: z.string().nullable(),
    subject: z.string(),
    from: z.string().describe("As asked for."),
    to: z.string(),
    messageId,
    transport,
    status: z
      .enum(sendStatuses)
      .describe("sent: the other side has taken it; bounced: and a bounce came back since."),
    problem: z.string().nullable().describe("Why it failed or bounced, in the other side's words."),
    finishedAt: timestamp.nullable(),
    testId: identifier("test").nullable().describe("What came of it."),
    bounceId: identifier("bounce")
      .nullable()
      .describe("The bounce or complaint that came back to its return path."),
  })
  .meta({ id: "Send" });
export type Send = z.infer<typeof send>;

export const listSends = defineEndpoint({
  method: "GET",
  path: "/api/sends",
  access: "member",
  summary: "What the workspace has sent with send-test, newest first.",
  query: z.strictObject(pageQuery("send")),
  answer: pageOf(send),
});

export const readSend = defineEndpoint({
  method: "GET",
  path: "/api/sends/:id",
  access: "member",
  summary: "One of them.",
  params: idParams,
  answer: send,
});

const unsubscribe = {
  path: "/unsubscribe",
  access: "public",
  answer: { mediaType: "text/plain" },
} as const;

export const readUnsubscribe = defineEndpoint({
  ...unsubscribe,
  method: "GET",
  summary: "What the samples' unsubscribe link opens: nobody is subscribed, and nothing is done.",
});

/** RFC 8058 §3.2: with a form as its body, which is not looked at. */
export const unsubscribeAtOnce = defineEndpoint({
  ...unsubscribe,
  method: "POST",
  status: 200,
  summary: "The one click of the samples' List-Unsubscribe (RFC 8058). Nothing is done.",
  body: { mediaType: "application/x-www-form-urlencoded" },
});

// The keys that sign a workspace's own mail (src/decisions.md, "Sending").

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
