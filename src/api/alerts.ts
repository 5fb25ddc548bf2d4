// Alert webhooks: who is notified when something breaks, and how each delivery went (src/decisions.md, "Alerts").

import { z } from "zod";
import { alertEventTypes, alertKinds } from "../alerts/alert-event.ts";
import { defineEndpoint } from "./endpoint.ts";
import { type FieldRefusals, identifier, idParams, listOf, name, timestamp } from "./primitives.ts";

const deliveryStatus = z
  .enum(["pending", "delivered", "dead"])
  .describe("pending: it is tried, or tried again, at `nextTryAt`; dead: it is not tried again by itself.");
const httpStatus = z.int().nullable().describe("What the last try was answered; null: nothing.");

const fields = {
  id: identifier("alert"),
  label: z.string(),
  url: z.string().describe("Of a chat service masked: who knows it can write there."),
  kind: z.enum(alertKinds),
  events: z.array(z.enum(alertEventTypes)),
  thresholdScore: z
    .number()
    .nullable()
    .describe(
      "A test that scores below it raises test.low_score; unused while that event isn't among `events`.",
    ),
  enabled: z.boolean(),
  disabledBecause: z
    .string()
    .nullable()
    .describe("Why the server switched it off; null: it did not. Enabling it clears this."),
  createdAt: timestamp,
  lastDelivery: z
    .strictObject({ id: identifier("delivery"), at: timestamp, status: deliveryStatus, httpStatus })
    .nullable(),
};

const secret = z
  .string()
  .nullable()
  .describe(
    "With which receivers verify `webhook-signature` (standardwebhooks.com); shown this once. Null: a chat service has none.",
  );

export const alert = z.strictObject(fields).meta({ id: "Alert" });
export type Alert = z.infer<typeof alert>;

const alertWithSecret = z.strictObject({ ...fields, secret }).meta({ id: "AlertWithSecret" });
const changedAlert = z
  .strictObject({ ...fields, secret: secret.optional().describe("A new one, where it has become `json`.") })
  .meta({ id: "ChangedAlert" });

export const delivery = z
  .strictObject({
    id: identifier("delivery"),
    eventId: identifier("event").describe("The `webhook-id` that a JSON webhook gets, the same at each try."),
    type: z.enum(alertEventTypes),
    status: deliveryStatus,
    tries: z.int(),
    httpStatus,
    problem: z.string().nullable().describe("Of the last try."),
    createdAt: timestamp,
    lastTriedAt: timestamp.nullable(),
    deliveredAt: timestamp.nullable(),
    nextTryAt: timestamp.nullable(),
    durationMs: z.number().nullable().describe("Of the last try."),
    toldWith: identifier("delivery").nullable().describe("The delivery whose message told this event too."),
  })
  .meta({ id: "AlertDelivery" });
export type Delivery = z.infer<typeof delivery>;

const url = z
  .string()
  .max(2_048)
  .meta({ invalid: "invalid_url" } satisfies FieldRefusals)
  .describe("Absolute, http or https, without user name and password. Redirects are not followed.");
const kind = z
  .enum(alertKinds)
  .describe("slack and discord: an incoming webhook of that service; json: signed events.");
const events = z
  .array(z.enum(alertEventTypes))
  .min(1)
  .max(alertEventTypes.length)
  .refine((listed) => new Set(listed).size === listed.length, "must name no event twice")
  .meta({ uniqueItems: true });
const thresholdScore = z.number().min(0).max(100).nullish();

export const listAlerts = defineEndpoint({
  method: "GET",
  path: "/api/alerts",
  access: "member",
  summary: "The workspace's alert webhooks, oldest first.",
  answer: listOf(alert),
});

export const createAlert = defineEndpoint({
  method: "POST",
  path: "/api/alerts",
  access: "member",
  summary:
    "Creates an alert webhook. An address that is not of the public internet is refused, unless the server's operator allows it.",
  body: z
    .strictObject({
      label: name,
      url,
      kind,
      events,
      thresholdScore: thresholdScore.describe(
        "A test that scores below it raises test.low_score (70 if not given). Taken with any events, and unused without that one.",
      ),
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
      ],
    }),
  answer: alertWithSecret,
  errors: ["conflict", "plan_limit"],
});

export const readAlert = defineEndpoint({
  method: "GET",
  path: "/api/alerts/:id",
  access: "member",
  summary: "One alert webhook.",
  params: idParams,
  answer: alert,
});

export const changeAlert = defineEndpoint({
  method: "PATCH",
  path: "/api/alerts/:id",
  access: "member",
  summary:
    "Changes an alert webhook. What is not given stays; enabling it clears why it was switched off. That of a chat service becomes json at a new address alone, because its own is a secret.",
  params: idParams,
  body: z
    .strictObject({
      label: name.optional(),
      url: url.optional(),
      kind: kind.optional(),
      events: events.optional(),
      thresholdScore: thresholdScore.describe("Unused while test.low_score isn't among the events."),
      enabled: z.boolean().optional(),
    })
    .meta({ examples: [{ enabled: true }, { events: ["test.low_score"], thresholdScore: 60 }] }),
  answer: changedAlert,
  errors: ["invalid_url", "missing_name"],
});

export const deleteAlert = defineEndpoint({
  method: "DELETE",
  path: "/api/alerts/:id",
  access: "member",
  summary: "Deletes an alert webhook, with what was still to be told it.",
  params: idParams,
  answer: null,
});

export const rotateAlertSecret = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/rotate-secret",
  access: "member",
  summary: "Gives a JSON webhook a new secret: from now on all that is sent to it is signed with that.",
  params: idParams,
  answer: alertWithSecret,
  status: 200,
  errors: ["conflict"],
});

export const pingAlert = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/test",
  access: "member",
  summary:
    "Sends the webhook one message at once, and does not try again. It is sent to one that is switched off too.",
  params: idParams,
  answer: z
    .strictObject({
      delivered: z.boolean().describe("It was answered with a status from 200 to 299."),
      status: z.int().nullable().describe("What the receiver answered; null: nothing."),
      durationMs: z.number(),
      error: z.string().nullable(),
    })
    .meta({ id: "AlertPing" }),
  status: 200,
  errors: ["rate_limited"],
});

export const listDeliveries = defineEndpoint({
  method: "GET",
  path: "/api/alerts/:id/deliveries",
  access: "member",
  summary: "The last 100 deliveries to the webhook, newest first.",
  params: idParams,
  answer: listOf(delivery),
});

export const retryDelivery = defineEndpoint({
  method: "POST",
  path: "/api/alerts/:id/deliveries/:deliveryId/retry",
  access: "member",
  summary: "Sends a delivery again, with the same `webhook-id`.",
  params: z.strictObject({
    ...idParams.shape,
    deliveryId: z.string().describe("As `id` in the list of deliveries."),
  }),
  answer: delivery,
  status: 200,
  errors: ["conflict"],
});
