// Bounces and complaints: messages to a seed inbox that aren't tests (src/decisions.md, "Receiving"), and what providers
// report by webhook ("Incoming webhooks").

import { z } from "zod";
import { bounceClasses } from "../../../analyzer/mail/reports/mail-class.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, pageOf, pageQuery, timestamp } from "../../../platform/contract/primitives.ts";
import { bounceActions } from "../../alerts/rules/bounce-words-table.ts";
import { type FeedbackProvider, feedbackProviders } from "../rules/providers.ts";

const text = z.string().nullable();

const bounce = z
  .strictObject({
    id: identifier("bounce"),
    kind: z.enum(["bounce", "complaint"]),
    receivedAt: timestamp,
    authenticated: z
      .boolean()
      .describe(
        "Whether the return path contains a token from Assay, or a provider’s webhook had a valid signature. Otherwise, it can be forged.",
      ),
    provider: z
      .enum(Object.keys(feedbackProviders) as FeedbackProvider[])
      .nullable()
      .describe("The provider whose webhook reported it. `null`: it arrived by mail."),
    providerName: text.describe("The name of that provider."),
    reportingMta: text,
    recipients: z.array(
      z.strictObject({
        address: text,
        status: text.describe("Enhanced status code (RFC 3463), such as `5.1.1`."),
        action: text,
        class: z.enum(bounceClasses),
        hard: z.boolean(),
        diagnostic: text,
        do: z
          .enum(bounceActions)
          .describe(
            "`suppress`: never send there again. `retry`: send later, unchanged. `fix`: fix the problem, then resend. `review`: no clear reason. `none`: nothing to do.",
          ),
        advice: z.string().describe("The recommended action in plain words."),
      }),
    ),
    feedbackType: text.describe("Feedback type of a complaint (RFC 5965)."),
    sourceIp: text,
    originalMessageId: text,
    sendId: identifier("send").nullable().describe("The sample that the message is about, if Assay sent it."),
    testId: identifier("test").nullable().describe("The test that the message is about."),
  })
  .meta({ id: "Bounce" });

export type Bounce = z.infer<typeof bounce>;

export const listBounces = defineEndpoint({
  method: "GET",
  path: "/api/bounces",
  token: "read",
  summary: "Lists bounces and complaints, newest first.",
  query: z.strictObject(pageQuery("bounce")),
  answer: pageOf(bounce),
});

export const readBounce = defineEndpoint({
  method: "GET",
  path: "/api/bounces/:id",
  token: "read",
  summary: "Returns a bounce or complaint.",
  answer: bounce,
});

export const readRawBounce = defineEndpoint({
  method: "GET",
  path: "/api/bounces/:id/raw",
  token: "read",
  summary: "Downloads the original message as received. What a webhook reported has none.",
  answer: { mediaType: "message/rfc822", download: true },
});
