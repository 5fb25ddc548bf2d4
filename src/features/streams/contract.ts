// Series of similar messages, and the rules that form them.

import { z } from "zod";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, listOf, name, queryInteger, timestamp } from "../../platform/contract/primitives.ts";
import { rate } from "../tests/contract/placement.ts";
import { marks, stream, streamFields } from "../tests/contract/streams.ts";

export const shownSteps = 200;

const step = z.strictObject({
  testId: z.string(),
  receivedAt: timestamp,
  subject: z.string().nullable(),
  score: z.number().nullable().describe("`null` without a score, or if fewer than half of the checks were completed."),
  inboxRate: rate,
  promoRate: rate,
  spamRate: rate,
  usualScore: z.number().nullable().describe("Usual score when this test was analyzed."),
  points: z.number().nullable().describe("Difference from the usual score, if it is unusual."),
  isNew: z.boolean().describe("`true` if the tests just before did not differ in the same way."),
  changes: marks,
});

const usualSince = z
  .strictObject({
    testId: z.string().describe("The first test at the present level."),
    at: timestamp.describe("When it arrived."),
    before: z.number().describe("The usual score before it."),
  })
  .nullable()
  .describe("When the usual score last changed to another level, for fewer than 20 tests since.");

const streamDetail = z.strictObject({ ...streamFields, usualSince, steps: z.array(step) }).meta({ id: "StreamDetail" });
export type StreamDetail = z.infer<typeof streamDetail>;

export const readStream = defineEndpoint({
  method: "GET",
  path: "/api/streams/:id",
  token: "read",
  summary: `Returns a stream with its newest tests (up to ${shownSteps}), oldest first, and what changed from test to test.`,
  answer: streamDetail,
});

export const listStreams = defineEndpoint({
  method: "GET",
  path: "/api/streams",
  token: "read",
  summary:
    "Lists streams: series of tests from one sender domain with one label (or of one type of message, if they have no label), or as the workspace's rules say. Those with a usual score first, and among them those with the newest tests.",
  query: z.strictObject({
    movedWithinDays: queryInteger(1, 366)
      .optional()
      .describe("Only streams with an unusual score within this many days, newest first."),
    limit: queryInteger(1, 100).default(50).describe("Maximum number of items."),
    offset: queryInteger(0).default(0).describe("Number of items to skip. Ignored with `movedWithinDays`."),
  }),
  answer: z.strictObject({ items: z.array(stream), total: z.int() }),
});

const pattern = z.string().trim().min(1).max(200).nullable();

export const streamRule = z
  .strictObject({
    id: identifier("streamRule"),
    name: z.string(),
    sender: pattern,
    label: pattern,
    createdAt: timestamp,
  })
  .meta({ id: "StreamRule" });
export type StreamRule = z.infer<typeof streamRule>;

export const listStreamRules = defineEndpoint({
  method: "GET",
  path: "/api/stream-rules",
  token: "read",
  summary: "Lists the workspace's stream rules in the order in which they apply.",
  answer: listOf(streamRule),
});

export const createStreamRule = defineEndpoint({
  method: "POST",
  path: "/api/stream-rules",
  token: "admin",
  summary:
    "Makes one stream of all tests that match from now on. The first rule that matches counts. Tests that match none form streams by sender domain with the label or the type of message.",
  body: z
    .strictObject({
      name,
      sender: pattern.default(null).describe("Pattern for the address in From. `*` stands for anything."),
      label: pattern.default(null).describe("Pattern for the label."),
    })
    .refine(({ sender, label }) => sender !== null || label !== null, {
      path: ["sender"],
      message: "must be given, or a label",
    })
    .meta({
      examples: [
        { name: "Newsletters", sender: "news@*" },
        { name: "Receipts", label: "receipt-*" },
      ],
    }),
  answer: streamRule,
  errors: ["conflict"],
});

export const deleteStreamRule = defineEndpoint({
  method: "DELETE",
  path: "/api/stream-rules/:id",
  token: "admin",
  summary: "Deletes a stream rule. Its stream keeps its tests and gets no new ones.",
});
