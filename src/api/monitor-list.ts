// Monitors of both kinds: canaries, which Assay sends and expects back, and mail that others must send.

import { z } from "zod";
import { weekdays } from "../monitors/local-time.ts";
import { maxMaintenanceWindows } from "../monitors/spans.ts";
import { monitorOutcomes } from "../monitors/state.ts";
import { defineEndpoint } from "./endpoint.ts";
import { dayTime, identifier, idParams, listOf, name, timestamp, timeZone } from "./primitives.ts";

export const weekdayList = z
  .array(z.enum(weekdays))
  .min(1)
  .max(weekdays.length)
  .refine((days) => new Set(days).size === days.length, "must not list a day twice")
  .meta({ uniqueItems: true });

const onceWindow = z.strictObject({
  type: z.literal("once"),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
});
const weeklyWindow = z.strictObject({
  type: z.literal("weekly"),
  days: weekdayList.describe("Days on which it begins."),
  from: dayTime.describe("As in `02:00`."),
  to: dayTime.describe("Not after `from`: on the next day."),
  timeZone,
});

export const maintenance = z
  .array(
    z
      .discriminatedUnion("type", [onceWindow, weeklyWindow])
      .refine((window) => window.type !== "once" || Date.parse(window.from) < Date.parse(window.to), {
        path: ["to"],
        message: "must be after from",
      }),
  )
  .max(maxMaintenanceWindows)
  .describe("Times in which nothing that is missing or wrong raises an alert or counts in the figures.")
  .meta({ id: "MaintenanceWindows" });

export const badge = z
  .strictObject({
    name: z.string(),
    svgUrl: z.string(),
    jsonUrl: z.string().describe("In the format of shields.io endpoints."),
  })
  .meta({ id: "MonitorBadge" });

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
      "For a canary, the share of its runs of the last 7 days that were OK. For expected mail, the share of its due times that were met. Without those in maintenance or while the server was off. Canaries count from when they were sent, expected mail from when its due time passed or it arrived. `null` without any, such as before the first due time has passed.",
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
  maintenance,
  maintenanceUntil: timestamp.nullable().describe("When the current maintenance ends."),
  badge: badge.nullable(),
};

export const monitorItem = z.strictObject(monitorFields).meta({ id: "MonitorItem" });
export type MonitorItem = z.infer<typeof monitorItem>;

export const listMonitors = defineEndpoint({
  method: "GET",
  path: "/api/monitors",
  access: "member",
  token: "read",
  summary: "Lists the workspace's monitors of both kinds. Those that are down come first.",
  answer: listOf(monitorItem),
});

export const setMaintenance = defineEndpoint({
  method: "PUT",
  path: "/api/monitors/:id/maintenance",
  access: "member",
  token: "write",
  summary: "Replaces a monitor's maintenance windows. An empty list removes them.",
  params: idParams,
  body: z.strictObject({ windows: maintenance }).meta({
    examples: [
      { windows: [{ type: "once", from: "2026-12-01T20:00:00Z", to: "2026-12-01T23:00:00Z" }] },
      {
        windows: [{ type: "weekly", days: ["sun"], from: "02:00", to: "04:00", timeZone: "Europe/Berlin" }],
      },
    ],
  }),
  answer: monitorItem,
});

export const startMaintenance = defineEndpoint({
  method: "POST",
  path: "/api/monitors/:id/maintenance",
  access: "member",
  token: "write",
  summary:
    "Begins a maintenance window of a monitor now, by the server's clock. The others stay, except those that are over.",
  params: idParams,
  body: z
    .strictObject({ minutes: z.int().min(1).max(44_640).describe("How long it lasts.") })
    .meta({ examples: [{ minutes: 60 }] }),
  answer: monitorItem,
  status: 200,
  errors: ["conflict"],
});

export const longestBadgeName = 40;

export const setBadge = defineEndpoint({
  method: "PUT",
  path: "/api/monitors/:id/badge",
  access: "member",
  token: "write",
  summary:
    "Creates a monitor's public badge, or changes its name. Anyone with its URL sees that name and whether the monitor is up, down, paused, or unknown.",
  params: idParams,
  body: z.strictObject({ name: name.max(longestBadgeName) }).meta({ examples: [{ name: "Backup" }] }),
  answer: badge,
});

export const endBadge = defineEndpoint({
  method: "DELETE",
  path: "/api/monitors/:id/badge",
  access: "member",
  token: "write",
  summary: "Ends a monitor's badge. Its URL stops working for good.",
  params: idParams,
  answer: null,
});

export const readBadge = defineEndpoint({
  method: "GET",
  path: "/badges/:file",
  access: "public",
  summary: "Returns a monitor's badge as an SVG image, or as JSON for shields.io.",
  params: z.strictObject({ file: z.string().describe("The badge's key, with `.svg` or `.json`.") }),
  query: z.looseObject({}),
  answer: { mediaType: "*/*" },
  errors: ["rate_limited"],
});
