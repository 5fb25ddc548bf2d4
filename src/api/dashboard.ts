// The figures of a workspace's dashboard (src/decisions.md, "Dashboard").

import { z } from "zod";
import { severities } from "../checks/check.ts";
import { isTimeZone } from "../reports/sums.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, timestamp } from "./primitives.ts";
import { testSummary } from "./tests.ts";

const rate = z.number().nullable().describe("Share of the placements; null without any.");
const rates = { inboxRate: rate, spamRate: rate, promoRate: rate };
const score = z.number().nullable().describe("Mean composite of the analysed tests; null without any.");

const figures = {
  window: z
    .strictObject({ from: timestamp, to: timestamp })
    .describe("Seven days; it begins at a quarter of an hour."),
  deliverabilityScore: score,
  ...rates,
  testCount: z.int().describe("Analysed tests."),
  bounces7d: z.int(),
  complaints7d: z.int(),
};

const slice = z.strictObject({
  date: z.iso.date(),
  tests: z.int(),
  score,
  ...rates,
});

const topIssue = z.strictObject({
  id: z.string().describe("check.finding."),
  title: z.string().describe("Short: 2 to 6 words without evidence."),
  severity: z.enum(severities),
  tests: z.int(),
  share: z.number().describe("Of the week's tests, from 0 to 1."),
  example: identifier("test").nullable().describe("A recent test that has it."),
  summary: z
    .string()
    .nullable()
    .describe(
      "What was found in that test, with the evidence; null where its newest report no longer has it.",
    ),
});

const providerRates = z.strictObject({
  provider: z.string().describe("Or `imap:<account>`, of a seed mailbox that stands for no provider."),
  ...rates,
  tests: z.int().describe("Whose placement counts here."),
  observed: z.int().describe("Of these, those that were seen in a seed mailbox; the others are predicted."),
});

export const dashboardSummary = z
  .strictObject({
    ...figures,
    previous: z.strictObject(figures).describe("The seven days before."),
    trend: z.array(slice).describe("The last 30 days of the time zone, oldest first; today is the last."),
    recentTests: z.array(testSummary),
    newestFailed: testSummary
      .nullable()
      .describe(
        "The newest test whose analysis failed, of whatever age; null: none did. No figure counts it.",
      ),
    topIssues: z.array(topIssue).describe("Of the week, what costs its tests most together first."),
    placement: z.array(providerRates).describe("Of the week."),
    domains: z.strictObject({ monitored: z.int(), failing: z.int(), drifted24h: z.int() }),
  })
  .meta({ id: "DashboardSummary" });

export type DashboardSummary = z.infer<typeof dashboardSummary>;

export const readDashboard = defineEndpoint({
  method: "GET",
  path: "/api/dashboard/summary",
  access: "member",
  summary:
    "How the workspace's mail has done. Samples of the laboratory and failed tests are left out, but that the newest failed one is named.",
  query: z.strictObject({
    tz: z
      .string()
      .refine(isTimeZone, "must name a time zone, like Europe/Berlin")
      .default("UTC")
      .describe("IANA time zone of the days."),
  }),
  answer: dashboardSummary,
});
