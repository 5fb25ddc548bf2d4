// Alerts: who is notified when something breaks, and the outcome of each delivery (src/decisions.md, "Alerts").

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import {
  type FieldRefusals,
  identifier,
  idParams,
  listOf,
  name,
  timestamp,
} from "../../../platform/contract/primitives.ts";
import { alertEventTypes, alertKinds } from "../rules/alert-event.ts";
import { changeableOptions, optionFields, preset } from "./alert-options.ts";

const deliveryStatus = z
  .enum(["pending", "delivered", "dead"])
  .describe("`pending`: will be tried or retried at `nextTryAt`. `dead`: no more automatic retries.");
const httpStatus = z.int().nullable().describe("HTTP status of the last attempt. `null` if there was no response.");

const fields = {
  id: identifier("alert"),
  label: z.string(),
  url: z
    .string()
    .describe(
      "Masked for chat services and presets, because the URL itself grants access. For `email`, a `mailto:` URL.",
    ),
  kind: z.enum(alertKinds),
  events: z.array(z.enum(alertEventTypes)),
  thresholdScore: z
    .number()
    .nullable()
    .describe(
      "Tests that score below this value trigger `test.low_score`. Ignored unless `events` includes that event.",
    ),
  enabled: z.boolean(),
  disabledBecause: z
    .string()
    .nullable()
    .describe("Why the server disabled the webhook. `null` if it did not. Cleared when you enable it."),
  createdAt: timestamp,
  ...optionFields,
  lastDelivery: z
    .strictObject({ id: identifier("delivery"), at: timestamp, status: deliveryStatus, httpStatus })
    .nullable(),
};

const secret = z
  .string()
  .nullable()
  .describe(
    "Signing secret for verifying `webhook-signature` (standardwebhooks.com). Shown only once. `null` unless the webhook gets signed events.",
  );

export const alert = z.strictObject(fields).meta({ id: "Alert" });
export type Alert = z.infer<typeof alert>;

const alertWithSecret = z.strictObject({ ...fields, secret }).meta({ id: "AlertWithSecret" });
const changedAlert = z
  .strictObject({
    ...fields,
    secret: secret.optional().describe("The new signing secret, if `kind` was changed to `json`."),
  })
  .meta({ id: "ChangedAlert" });

export const delivery = z
  .strictObject({
    id: identifier("delivery"),
    eventId: identifier("event").describe("Sent to JSON webhooks as `webhook-id`. The same for every attempt."),
    type: z.enum(alertEventTypes),
    status: deliveryStatus,
    tries: z.int(),
    httpStatus,
    smtpReply: z.string().nullable().describe("For `email`: the mail server's reply to the last attempt."),
    problem: z.string().nullable().describe("Problem with the last attempt."),
    createdAt: timestamp,
    lastTriedAt: timestamp.nullable(),
    deliveredAt: timestamp.nullable(),
    nextTryAt: timestamp.nullable(),
    durationMs: z.number().nullable().describe("Duration of the last attempt."),
    toldWith: identifier("delivery").nullable().describe("The delivery whose message also reported this event."),
  })
  .meta({ id: "AlertDelivery" });
export type Delivery = z.infer<typeof delivery>;

const url = z
  .string()
  .max(2_048)
  .meta({ invalid: "invalid_url" } satisfies FieldRefusals)
  .describe(
    "Absolute HTTP or HTTPS URL without a username or password. Redirects are not followed. For `email`, a `mailto:` URL. Optional for the presets `telegram` and `pagerduty`, which have one server. For `ntfy`, it ends in the topic.",
  );
const kind = z
  .enum(alertKinds)
  .describe(
    "`slack` and `discord`: an incoming webhook of that service. `json`: signed events, or the JSON of a `preset`. `email`: an email address, which must confirm first.",
  );
const events = z
  .array(z.enum(alertEventTypes))
  .min(1)
  .max(alertEventTypes.length)
  .refine((listed) => new Set(listed).size === listed.length, "must not list an event twice")
  .meta({ uniqueItems: true });
const thresholdScore = z.number().min(0).max(100).nullish();

export const listAlerts = defineEndpoint({
  method: "GET",
  path: "/api/alerts",
  token: "read",
  summary: "Lists the workspace's alert webhooks, oldest first.",
  answer: listOf(alert),
});

export const createAlert = defineEndpoint({
  method: "POST",
  path: "/api/alerts",
  token: "admin",
  summary:
    "Creates an alert. Non-public addresses are rejected unless the server operator allows them. An email address gets a confirmation email first.",
  body: z
    .strictObject({
      label: name,
      url: url.optional(),
      kind,
      events,
      thresholdScore: thresholdScore.describe(
        "Tests that score below this value trigger `test.low_score`. Defaults to 70. Ignored unless `events` includes that event.",
      ),
      preset,
      ...changeableOptions,
      refuseDuplicate: z
        .boolean()
        .optional()
        .describe("Respond with `conflict` if another alert sends the same events to the same place."),
    })
    .meta({
      examples: [
        {
          label: "On call",
          url: "https://hooks.example/assay",
          kind: "json",
          events: ["domain.drift", "test.low_score"],
          thresholdScore: 75,
        },
        {
          label: "Ann",
          url: "mailto:ann@example.com",
          kind: "email",
          events: ["domain.drift", "email.bounce_complaint"],
        },
        {
          label: "Phone",
          url: "https://ntfy.sh/my-secret-topic",
          kind: "json",
          preset: "ntfy",
          events: ["domain.drift"],
        },
      ],
    }),
  answer: alertWithSecret,
  errors: ["conflict", "plan_limit", "invalid_url", "invalid_email", "rate_limited", "email_not_configured"] as const,
});

export const readAlert = defineEndpoint({
  method: "GET",
  path: "/api/alerts/:id",
  token: "read",
  summary: "Returns an alert webhook.",
  answer: alert,
});

export const changeAlert = defineEndpoint({
  method: "PATCH",
  path: "/api/alerts/:id",
  token: "admin",
  summary:
    "Updates an alert webhook. Omitted fields stay unchanged. Enabling the webhook clears the reason it was disabled. To change a chat webhook to `json`, also send a new URL, because the old one is a secret. Alerts by email and with a preset keep their kind.",
  body: z
    .strictObject({
      ...z.strictObject({ label: name, url, kind, events }).partial().shape,
      thresholdScore: thresholdScore.describe("Ignored unless `events` includes `test.low_score`."),
      enabled: z.boolean().optional(),
      ...changeableOptions,
    })
    .meta({ examples: [{ enabled: true }, { events: ["test.low_score"], thresholdScore: 60 }] }),
  answer: changedAlert,
  errors: ["invalid_url", "invalid_email", "missing_name", "conflict", "rate_limited", "email_not_configured"] as const,
});

export const deleteAlert = defineEndpoint({
  method: "DELETE",
  path: "/api/alerts/:id",
  token: "admin",
  summary: "Deletes an alert webhook and its pending deliveries.",
});

export const rotateAlertSecret = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/rotate-secret",
  token: "admin",
  summary: "Creates a new signing secret for a JSON webhook. All later requests are signed with it.",
  answer: alertWithSecret,
  status: 200,
  errors: ["conflict"],
});

export const pingAlert = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/test",
  token: "admin",
  summary: "Sends a test message immediately, without retries. Also works for disabled webhooks.",
  answer: z
    .strictObject({
      delivered: z
        .boolean()
        .describe("Whether the receiver returned a status from 200 to 299, or the mail server took the email."),
      status: z.int().nullable().describe("HTTP status of the response. `null` if there was no response."),
      smtpReply: z.string().nullable().describe("For `email`: the mail server's reply."),
      durationMs: z.number(),
      error: z.string().nullable(),
    })
    .meta({ id: "AlertPing" }),
  status: 200,
  errors: ["rate_limited", "conflict", "email_not_configured"],
});

export const requestConfirmation = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/confirmation",
  token: "admin",
  summary:
    "Sends the recipient of an email alert another confirmation email. The previous link stops working. A mailbox gets at most one in an hour and three in a day, from all workspaces together.",
  answer: alert,
  status: 200,
  errors: ["conflict", "rate_limited", "email_not_configured"],
});

export const listDeliveries = defineEndpoint({
  method: "GET",
  path: "/api/alerts/:id/deliveries",
  token: "read",
  summary: "Lists the last 100 deliveries to the webhook, newest first.",
  answer: listOf(delivery),
});

export const retryDelivery = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/deliveries/:deliveryId/retry",
  token: "admin",
  summary: "Sends a delivery again with the same `webhook-id`.",
  params: z.strictObject({ ...idParams.shape, deliveryId: z.string().describe("Delivery ID.") }),
  answer: delivery,
  status: 200,
  errors: ["conflict"],
});
