// Mail that Assay sends on a schedule and expects back, and the page of a monitor of either kind.

import { z } from "zod";
import { isTimeZone } from "../../../analyzer/reports/sums.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { type FieldRefusals, identifier, name, timestamp } from "../../../platform/contract/primitives.ts";
import { monitorOutcomes } from "../rules/state.ts";
import { expectedTerms } from "./expected.ts";

const longestText = 900;
const longestBody = 100_000;

const schedule = z
  .union([
    z.strictObject({ everyMinutes: z.int().min(1).max(10_080) }),
    z.strictObject({
      cron: z.string().min(1).max(100).describe("Minute, hour, day of month, month, and day of week."),
      timeZone: z
        .string()
        .max(64)
        .refine(isTimeZone, "must be an IANA time zone, such as Europe/Berlin")
        .describe("An IANA name."),
    }),
  ])
  .describe("How often it is sent: an interval, or a cron expression in a time zone.");

const address = z
  .string()
  .min(1)
  .max(longestText)
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals);

const terms = {
  relayId: z
    .string()
    .max(100)
    .nullable()
    .describe("`null`: the server's own relay (ASSAY_SEND_SMTP_URL), if it has one."),
  schedule,
  to: address
    .nullable()
    .describe(
      "`null`: the active seed inbox. Otherwise another seed inbox, a connected seed mailbox, or, through the workspace's own relays, an address that forwards to a seed inbox. If nothing comes back from such an address after three canaries, the canary is paused.",
    ),
  from: address
    .nullable()
    .describe(
      "Only for the server's own relay: a seed address, or an address at a verified domain. `null`: the active seed inbox. Relays of the workspace have their own sender.",
    ),
  subject: z.string().trim().min(1).max(longestText).nullable().describe("`null`: the default."),
  text: z.string().min(1).max(longestBody).nullable().describe("With `html`, replaces the default content."),
  html: z.string().min(1).max(longestBody).nullable(),
  objectiveSeconds: z
    .int()
    .min(5)
    .max(21_600)
    .describe("It must be back within this time. Otherwise it counts as late."),
  failuresBeforeAlert: z
    .int()
    .min(1)
    .max(5)
    .describe("How many runs in a row must fail before the canary is down and alerts are sent."),
  minScore: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe("A lower score counts as failed. `null`: one that is far below the usual score."),
};

const outcome = z.enum(monitorOutcomes);

const figures = z
  .strictObject({
    runs: z
      .int()
      .describe(
        "For a canary, its finished runs. For expected mail, the due times that passed. Without those that the server interrupted.",
      ),
    failed: z.int().describe("How many of them failed. For expected mail: late or missing."),
    wrongWords: z
      .int()
      .describe("Messages with wrong words. They are not in `runs`, because their due time had not passed."),
    uptime: z
      .number()
      .nullable()
      .describe("Share of `runs` that did not fail. `null` without any, such as before the first due time has passed."),
    timed: z.int().describe("Runs with a known delay, late ones included. The percentiles are theirs."),
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    p99Ms: z.number().nullable(),
  })
  .meta({ id: "MonitorFigures" });

const run = z
  .strictObject({
    id: identifier("monitorRun"),
    beganAt: timestamp,
    expectedBy: timestamp.nullable(),
    acceptedAt: timestamp.nullable().describe("For canaries: when the relay accepted it."),
    endedAt: timestamp.nullable().describe("`null` while something may still come."),
    outcome: outcome.nullable().describe("`null` until known."),
    says: z.string().nullable().describe("What happened, in a sentence."),
    delayMs: z
      .number()
      .nullable()
      .describe(
        "For canaries: from the send until it was back. For expected mail: since it was expected, negative if it arrived earlier.",
      ),
    testId: identifier("test").nullable().describe("The report, if it is still stored."),
    observed: z
      .strictObject({ provider: z.string(), folder: z.string() })
      .nullable()
      .describe("Where a connected seed mailbox received it."),
  })
  .meta({ id: "MonitorRun" });
export type MonitorRun = z.infer<typeof run>;

export const monitorDetail = z
  .strictObject({
    id: identifier("monitor"),
    kind: z.enum(["canary", "expected"]),
    name: z.string(),
    enabled: z.boolean(),
    state: z.enum(["new", "up", "down"]),
    since: timestamp,
    createdAt: timestamp,
    lastOkAt: timestamp.nullable(),
    nextAt: timestamp.nullable().describe("When the next canary is sent. `null` while paused."),
    dueAt: timestamp
      .nullable()
      .describe("When it is checked next: for expected mail, when the grace period ends. `null` if paused."),
    reason: z
      .strictObject({ code: outcome, says: z.string(), runId: z.string().nullable(), testId: z.string().nullable() })
      .nullable()
      .describe("Why it is down."),
    canary: z
      .strictObject({ ...terms, relayName: z.string().nullable(), usualScore: z.number().nullable() })
      .nullable()
      .describe("`null` for expected mail."),
    expected: expectedTerms.nullable().describe("What must arrive, and by when. `null` for canaries."),
    figures: z.strictObject({ day: figures, week: figures, month: figures }),
    spans: z
      .array(z.strictObject({ from: timestamp, ...figures.shape }))
      .describe("The last 30 days in spans of a day, or the last day in spans of an hour."),
    runs: z.array(run).describe("The newest 50, newest first."),
  })
  .meta({ id: "MonitorDetail" });
export type MonitorDetail = z.infer<typeof monitorDetail>;

export const readMonitor = defineEndpoint({
  method: "GET",
  path: "/api/monitors/:id",
  token: "read",
  summary: "Returns a monitor of either kind with its figures and newest runs.",
  query: z.strictObject({ spans: z.enum(["hours", "days"]).default("hours").describe("The spans of the chart.") }),
  answer: monitorDetail,
});

export const createCanary = defineEndpoint({
  method: "POST",
  path: "/api/monitors/canaries",
  token: "write",
  summary: "Adds a canary: mail that Assay sends on a schedule and expects back. The first one is sent right away.",
  body: z
    .strictObject({
      name,
      ...terms,
      to: terms.to.default(null),
      from: terms.from.default(null),
      subject: terms.subject.default(null),
      text: terms.text.default(null),
      html: terms.html.default(null),
      objectiveSeconds: terms.objectiveSeconds.default(300),
      failuresBeforeAlert: terms.failuresBeforeAlert.default(1),
      minScore: terms.minScore.default(null),
    })
    .meta({
      examples: [
        { name: "Transactional path", relayId: "rly_01hzy…", schedule: { everyMinutes: 5 } },
        {
          name: "Before the morning mail",
          relayId: null,
          schedule: { cron: "30 6 * * 1-5", timeZone: "Europe/Berlin" },
          objectiveSeconds: 120,
        },
      ],
    }),
  answer: monitorDetail,
  errors: ["conflict", "invalid_email", "not_found"],
});

export const changeCanary = defineEndpoint({
  method: "PATCH",
  path: "/api/monitors/canaries/:id",
  token: "write",
  summary:
    "Updates a canary. Omitted fields stay unchanged. Another relay, address, or content makes it forget the usual score.",
  body: z
    .strictObject({
      name: name.optional(),
      enabled: z.boolean().optional().describe("`false` pauses it. Resuming sends one right away."),
      ...z.strictObject(terms).partial().shape,
    })
    .meta({ examples: [{ enabled: false }, { schedule: { everyMinutes: 10 }, objectiveSeconds: 60 }] }),
  answer: monitorDetail,
  errors: ["conflict", "invalid_email", "missing_name"],
});

export const runCanary = defineEndpoint({
  method: "POST",
  path: "/api/monitors/canaries/:id/run",
  token: "write",
  summary: "Sends a canary as soon as possible, at most one in 15 seconds.",
  answer: monitorDetail,
  status: 202,
  errors: ["conflict", "rate_limited"],
});

export const deleteMonitor = defineEndpoint({
  method: "DELETE",
  path: "/api/monitors/:id",
  token: "write",
  summary: "Deletes a monitor of either kind with its runs.",
});
