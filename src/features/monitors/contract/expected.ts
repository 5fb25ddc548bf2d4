// Expected mail: what others must send, and by when.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { dayTime, identifier, name, timestamp, timeZone } from "../../../platform/contract/primitives.ts";
import { monitorFields, weekdayList } from "./monitor-list.ts";

const daily = z.strictObject({
  type: z.literal("daily"),
  by: dayTime.describe("When it must have arrived, as in `07:00`."),
  days: weekdayList,
  timeZone,
  opensMinutes: z
    .int()
    .min(10)
    .max(1_440)
    .default(720)
    .describe("How long before `by` a message counts. Earlier ones don't."),
});
const interval = z.strictObject({
  type: z.literal("interval"),
  everyMinutes: z.int().min(10).max(44_640).describe("The longest time between two messages."),
});
const schedule = z.discriminatedUnion("type", [daily, interval]);

const pattern = z.string().trim().min(1).max(200).nullable().default(null);
const match = z
  .strictObject({
    inboxId: identifier("seedInbox").nullable().default(null).describe("The seed inbox that it is sent to."),
    label: pattern.describe("Pattern for the label. `*` stands for anything."),
    sender: pattern.describe("Pattern for the address in From. `*` stands for anything."),
    subjectContains: pattern,
    subjectLacks: pattern.describe("Words that the subject must not contain."),
    textContains: pattern.describe(
      "Words in the message. The first 1 MB of its text and of its HTML part are searched.",
    ),
  })
  .refine(({ inboxId, label, sender, subjectContains }) => inboxId ?? label ?? sender ?? subjectContains, {
    path: ["sender"],
    message: "must be given, or another condition",
  });
export type ExpectedMatch = z.infer<typeof match>;

const words = z.string().nullable();
/** Apart from the body, in which each field may be left out. */
const shownMatch = z
  .strictObject({
    inboxId: identifier("seedInbox").nullable(),
    label: words,
    sender: words,
    subjectContains: words,
    subjectLacks: words,
    textContains: words,
  })
  .meta({ id: "ExpectedMatch" });

const graceMinutes = z.int().min(0).max(1_440);
const minCount = z.int().min(1).max(1_000);

const termFields = { schedule, graceMinutes, minCount, match: shownMatch, alertOnOtherWords: z.boolean() };
export const expectedTerms = z.strictObject(termFields).meta({ id: "ExpectedTerms" });
export type ExpectedTerms = z.infer<typeof expectedTerms>;

export const expectedMonitor = z.strictObject({ ...monitorFields, ...termFields }).meta({ id: "ExpectedMonitor" });
export type ExpectedMonitor = z.infer<typeof expectedMonitor>;

const otherWords = z
  .boolean()
  .describe(
    "Alert at once if a message from the sender arrives with other words. `false`: such a message doesn't count.",
  );

export const createExpected = defineEndpoint({
  method: "POST",
  path: "/api/monitors/expected",
  token: "write",
  summary:
    "Expects mail by a time or within an interval. With a time of day, watching begins with the next time span that opens.",
  body: z
    .strictObject({
      name,
      schedule,
      match,
      graceMinutes: graceMinutes.default(30).describe("How much later it may arrive."),
      minCount: minCount.default(1).describe("How many messages must arrive."),
      alertOnOtherWords: otherWords.default(true),
    })
    .meta({
      examples: [
        {
          name: "Nightly backup",
          schedule: {
            type: "daily",
            by: "07:00",
            days: ["mon", "tue", "wed", "thu", "fri"],
            timeZone: "Europe/Berlin",
          },
          match: { sender: "backup@*", subjectContains: "OK" },
        },
        { name: "Order receipts", schedule: { type: "interval", everyMinutes: 360 }, match: { label: "receipts" } },
      ],
    }),
  answer: expectedMonitor,
  errors: ["conflict"],
});

export const readExpected = defineEndpoint({
  method: "GET",
  path: "/api/monitors/expected/:id",
  token: "read",
  summary: "Returns a monitor of expected mail with what it expects.",
  answer: expectedMonitor,
});

export const changeExpected = defineEndpoint({
  method: "PATCH",
  path: "/api/monitors/expected/:id",
  token: "write",
  summary:
    "Changes a monitor of expected mail. Omitted fields stay unchanged. If it then expects something else, it begins again as new.",
  body: z
    .strictObject({
      ...z.strictObject({ name, schedule, match, graceMinutes, minCount, alertOnOtherWords: otherWords }).partial()
        .shape,
      enabled: z.boolean().optional().describe("`false` pauses it. Resuming begins again as new."),
    })
    .meta({ examples: [{ graceMinutes: 60 }, { enabled: false }] }),
  answer: expectedMonitor,
  errors: ["missing_name"],
});

const found = z.strictObject({
  testId: z.string(),
  receivedAt: timestamp,
  from: z.string().nullable(),
  subject: z.string().nullable(),
});

export const previewExpected = defineEndpoint({
  method: "POST",
  path: "/api/monitors/expected/preview",
  token: "read",
  summary: "Tells which stored mail of the last 30 days would match. Changes nothing.",
  body: z.strictObject({ match }).meta({ examples: [{ match: { sender: "backup@*", subjectContains: "OK" } }] }),
  answer: z
    .strictObject({
      from: timestamp.describe("Mail since then was compared."),
      compared: z.int().describe("How many messages were compared, the newest first."),
      isCut: z.boolean().describe("There was more mail than could be compared."),
      isTextSkipped: z.boolean().describe("The words in the message were not compared."),
      matching: z.int(),
      otherWords: z.int().describe("Messages from the sender with other words."),
      newest: z.array(found).describe("Up to 3 matching messages, newest first."),
      newestOther: found.nullable().describe("The newest with other words."),
    })
    .meta({ id: "ExpectedPreview" }),
  status: 200,
});
