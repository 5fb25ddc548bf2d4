// What only some alerts have: a service that takes its own JSON, and to whom email is sent.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { timestamp } from "../../../platform/contract/primitives.ts";
import { alertPresets } from "../rules/alert-event.ts";

export const optionFields = {
  preset: z
    .enum(alertPresets)
    .nullable()
    .describe("For `json`: the service whose own JSON is sent. `null`: signed events."),
  email: z
    .strictObject({
      address: z.string(),
      state: z
        .enum(["pending", "confirmed", "unsubscribed", "bounced"])
        .describe("Only a `confirmed` address gets alerts. The recipient confirms with a link, and can unsubscribe."),
      problem: z.string().nullable().describe("Why it bounced, or why the confirmation email was not sent."),
      askedAt: timestamp.nullable().describe("When the last confirmation email was sent."),
      confirmedAt: timestamp.nullable(),
    })
    .nullable()
    .describe("The recipient. `null` for webhooks."),
};

export const preset = z
  .enum(alertPresets)
  .nullish()
  .describe("Only for `json`: sends the JSON that this service expects. Cannot be changed later.");
const credentials = z
  .strictObject({
    token: z.string().max(200).optional().describe("`ntfy`: an access token, if the topic needs one."),
    botToken: z.string().max(200).optional().describe("`telegram`: the bot's token."),
    chatId: z.string().max(100).optional().describe("`telegram`: the chat's ID, or a channel's @name."),
    routingKey: z.string().max(100).optional().describe("`pagerduty`: the integration key (Events API v2)."),
  })
  .optional()
  .describe("What a preset needs besides the URL. Never shown again. A change replaces all of them.");
export const changeableOptions = { credentials };

export const readAlertEmail = defineEndpoint({
  method: "GET",
  path: "/api/alert-email",
  token: "read",
  summary: "Tells whether this server can send alerts and invitations by email, and which settings are missing.",
  answer: z
    .strictObject({
      ready: z.boolean(),
      from: z.string().nullable().describe("The sender's address."),
      missing: z.array(z.strictObject({ setting: z.string(), why: z.string() })),
    })
    .meta({ id: "AlertEmailStatus" }),
});
