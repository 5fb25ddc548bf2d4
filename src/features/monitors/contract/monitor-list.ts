// Monitors of both kinds: canaries, which Assay sends and expects back, and mail that others must send.

import { z } from "zod";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, timestamp } from "../../../platform/contract/primitives.ts";
import { weekdays } from "../rules/local-time.ts";
import { monitorOutcomes } from "../rules/state.ts";

export const weekdayList = z
  .array(z.enum(weekdays))
  .min(1)
  .max(weekdays.length)
  .refine((days) => new Set(days).size === days.length, "must not list a day twice")
  .meta({ uniqueItems: true });

export const monitorFields = {
  id: identifier("monitor"),
  kind: z.enum(["canary", "expected"]),
  name: z.string(),
  enabled: z.boolean(),
  state: z.enum(["new", "up", "down"]).describe("`new`: nothing has arrived or been missed yet."),
  since: timestamp.describe("When the state last changed."),
  reason: z
    .strictObject({ code: z.string(), says: z.string(), testId: z.string().nullable() })
    .nullable()
    .describe("Why it is down."),
  dueAt: timestamp
    .nullable()
    .describe("When it is checked next: for expected mail, when the grace period ends. `null` if paused."),
  lastOkAt: timestamp.nullable(),
  uptime7d: z
    .number()
    .nullable()
    .describe(
      "For a canary, the share of its runs of the last 7 days that were OK. For expected mail, the share of its due times that were met. Without those while the server was off. Canaries count from when they were sent, expected mail from when its due time passed or it arrived. `null` without any, such as before the first due time has passed.",
    ),
  runs7d: z.int().describe("How many runs or due times `uptime7d` is the share of."),
  lastRuns: z
    .array(
      z.strictObject({
        id: identifier("monitorRun"),
        at: timestamp.describe("When it ended."),
        outcome: z.enum(monitorOutcomes),
        testId: z.string().nullable(),
      }),
    )
    .describe("Up to 20 finished runs, oldest first."),
};

export const monitorItem = z.strictObject(monitorFields).meta({ id: "MonitorItem" });
export type MonitorItem = z.infer<typeof monitorItem>;

export const listMonitors = defineEndpoint({
  method: "GET",
  path: "/api/monitors",
  token: "read",
  summary: "Lists the workspace's monitors of both kinds. Those that are down come first.",
  answer: listOf(monitorItem),
});
