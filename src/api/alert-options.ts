// What only some alerts have: a service that takes its own JSON, and how and to whom email is sent.

import { z } from "zod";
import { alertPresets } from "../alerts/alert-event.ts";
import { defineEndpoint } from "./endpoint.ts";
import { weekdayList } from "./monitor-list.ts";
import { dayTime, timestamp, timeZone } from "./primitives.ts";

const quietHours = z.strictObject({
  from: dayTime.describe("When they begin, as in `22:00`."),
  to: dayTime.describe("When they end, as in `07:00`. Not after `from`: on the next day."),
  timeZone,
  days: weekdayList.optional().describe("Days on which they begin. All days if omitted."),
  wakeForMonitors: z
    .boolean()
    .default(false)
    .describe("Send `monitor.changed` at once, even during quiet hours."),
});

/** Apart from the body, in which some fields may be left out. */
const shownQuietHours = z
  .strictObject({ ...quietHours.shape, wakeForMonitors: z.boolean() })
  .meta({ id: "QuietHours" });

export const optionFields = {
  preset: z
    .enum(alertPresets)
    .nullable()
    .describe("For `json`: the service whose own JSON is sent. `null`: signed events."),
  schedule: z
    .enum(["immediate", "daily"])
    .describe("`daily`: all events of a day in one email. Only for `email`."),
  digestTime: z.string().nullable().describe("Time of the daily email, as in `08:00`."),
  timeZone: z.string().nullable().describe("IANA time zone of `digestTime`."),
  quietHours: shownQuietHours
    .nullable()
    .describe("Times in which alerts wait. They are sent in order when the quiet hours end."),
  email: z
    .strictObject({
      address: z.string(),
      state: z
        .enum(["pending", "confirmed", "unsubscribed", "bounced"])
        .describe(
          "Only a `confirmed` address gets alerts. The recipient confirms with a link, and can unsubscribe.",
        ),
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
const schedule = z
  .enum(["immediate", "daily"])
  .optional()
  .describe("Only for `email`. `daily` sends one email a day. Defaults to `immediate`.");
const digestTime = dayTime.optional().describe("Time of the daily email. Defaults to `08:00`.");
const digestZone = timeZone.optional().describe("IANA time zone of `digestTime`. Defaults to `UTC`.");

export const changeableOptions = {
  credentials,
  schedule,
  digestTime,
  timeZone: digestZone,
  quietHours: quietHours
    .nullish()
    .describe(
      "Times in which alerts wait in the outbox. `null` removes them. A daily digest is always sent at its own time.",
    ),
};

export const readAlertEmail = defineEndpoint({
  method: "GET",
  path: "/api/alert-email",
  access: "member",
  token: "read",
  summary:
    "Tells whether this server can send alerts and invitations by email, and which settings are missing.",
  answer: z
    .strictObject({
      ready: z.boolean(),
      from: z.string().nullable().describe("The sender's address."),
      missing: z.array(z.strictObject({ setting: z.string(), why: z.string() })),
    })
    .meta({ id: "AlertEmailStatus" }),
});
