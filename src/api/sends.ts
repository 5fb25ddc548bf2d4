// Samples that Assay sends itself, to see how they arrive (decisions §5).

import { z } from "zod";
import { sendStatuses, sendTransports } from "../mail/sends.ts";
import { defineEndpoint } from "./endpoint.ts";
import { type FieldRefusals, identifier, idParams, pageOf, pageQuery, timestamp } from "./primitives.ts";

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
