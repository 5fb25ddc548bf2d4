// Samples that Assay sends to see how they arrive (src/decisions.md, "Sending").

import { z } from "zod";
import { sendStatuses, sendTransports } from "../../analyzer/mail/send-token.ts";
import { keyAlgorithms } from "../../analyzer/mail/signing/signing-algorithms.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import {
  type FieldRefusals,
  identifier,
  listOf,
  pageOf,
  pageQuery,
  timestamp,
} from "../../platform/contract/primitives.ts";

/** Leaves room for the rest of a header field (RFC 5322 §2.1.1). */
const longestText = 900;
const longestLabel = 200;

const transport = z
  .enum(sendTransports)
  .describe("`relay`: through ASSAY_SEND_SMTP_URL. `loopback`: directly to this server's own listener.");
const messageId = z.string().describe("Without angle brackets.");

const address = z
  .string()
  .min(1)
  .max(longestText)
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals);

export const sendTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/send-test",
  token: "write",
  labelToken: "handler",
  summary:
    "Sends a sample to a seed inbox of the workspace. Returns when the receiving side has accepted the message. The resulting test has its `send_id`. Line breaks and NUL characters are rejected in all fields, even when encoded. Only `html` and `text` can contain line breaks.",
  body: z
    .strictObject({
      subject: z.string().min(1).max(longestText),
      from: address.describe(
        "An address, or a name with an address in angle brackets: a seed address of the workspace, or an address at a domain that it has verified (not at a subdomain). ASCII before the @. Internationalized domains are allowed.",
      ),
      to: address
        .optional()
        .describe(
          "A seed inbox of the workspace, optionally with a label after a plus sign. Defaults to the active one.",
        ),
      html: z.string().min(1).optional().describe("Together with `text`, replaces the sample's content."),
      text: z.string().min(1).optional(),
      label: z
        .string()
        .min(1)
        .max(longestLabel)
        .optional()
        .describe("Label of the resulting test, if the address has none."),
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
    from: z.string().describe("As requested."),
    to: z.string(),
    messageId,
    transport,
    status: z
      .enum(sendStatuses)
      .describe("`sent`: accepted by the receiving side. `bounced`: accepted, but a bounce came back."),
    problem: z.string().nullable().describe("Why it failed or bounced, as reported by the receiving side."),
    finishedAt: timestamp.nullable(),
    testId: identifier("test").nullable().describe("The resulting test."),
    bounceId: identifier("bounce").nullable().describe("The bounce or complaint that was sent to its return path."),
  })
  .meta({ id: "Send" });
export type Send = z.infer<typeof send>;

export const listSends = defineEndpoint({
  method: "GET",
  path: "/api/sends",
  token: "read",
  summary: "Lists the samples that the workspace sent, newest first.",
  query: z.strictObject(pageQuery("send")),
  answer: pageOf(send),
});

export const readSend = defineEndpoint({
  method: "GET",
  path: "/api/sends/:id",
  token: "read",
  labelToken: "handler",
  summary: "Returns a sent sample.",
  answer: send,
});

const unsubscribe = { path: "/unsubscribe", access: "public", answer: { mediaType: "text/plain" } } as const;

export const readUnsubscribe = defineEndpoint({
  ...unsubscribe,
  method: "GET",
  summary:
    "Returns the page that a sample's unsubscribe link opens. It does nothing, because samples have no subscribers.",
});

/** RFC 8058 §3.2: the body is a form, which is ignored. */
export const unsubscribeAtOnce = defineEndpoint({
  ...unsubscribe,
  method: "POST",
  status: 200,
  summary: "Accepts one-click unsubscribe requests for samples (RFC 8058) and does nothing.",
  body: { mediaType: "application/x-www-form-urlencoded" },
});

// The keys that sign a workspace's own mail (src/decisions.md, "Sending").

export const signingKey = z
  .strictObject({
    id: identifier("signingKey"),
    domain: z.string().describe("Lowercase, with internationalized names in A-label form."),
    selector: z.string(),
    algorithm: z.enum(keyAlgorithms).describe("`rsa`: 2,048 bits."),
    record: z
      .strictObject({ name: z.string(), type: z.literal("TXT"), value: z.string() })
      .describe("The record to publish, with its value as a single string."),
    published: z
      .boolean()
      .nullable()
      .describe(
        "Whether this key is in DNS now. Mail is only signed with published keys. `null`: DNS did not respond.",
      ),
    createdAt: timestamp,
  })
  .meta({ id: "SigningKey" });
export type SigningKey = z.infer<typeof signingKey>;

export const listSigningKeys = defineEndpoint({
  method: "GET",
  path: "/api/signing-keys",
  token: "read",
  summary:
    "Lists the workspace's signing keys, oldest first, and looks up each one in DNS. Private keys are never shown.",
  answer: listOf(signingKey),
});

export const createSigningKeys = defineEndpoint({
  method: "POST",
  path: "/api/signing-keys",
  token: "admin",
  summary:
    "Creates keys to sign a domain's mail: one with the given algorithm, or one for each algorithm that the domain has no key for. Returns the new keys.",
  body: z
    .strictObject({
      domain: z
        .string()
        .max(2_000)
        .describe("A registrable domain or a subdomain. If you pass a URL or an email address, its domain is used."),
      algorithm: z.enum(keyAlgorithms).optional().describe("Defaults to both."),
    })
    .meta({ examples: [{ domain: "example.com" }, { domain: "example.com", algorithm: "ed25519" }] }),
  answer: listOf(signingKey),
  errors: ["conflict"],
});

export const deleteSigningKey = defineEndpoint({
  method: "DELETE",
  path: "/api/signing-keys/:id",
  token: "admin",
  summary: "Deletes a signing key. Leave its record in DNS until mail signed with it has arrived.",
});
