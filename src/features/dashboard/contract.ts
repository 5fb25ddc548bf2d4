// What Home shows of a workspace (src/decisions.md, "Home").

import { z } from "zod";
import { severities } from "../../analyzer/checks/check.ts";
import { isTimeZone } from "../../analyzer/reports/sums.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { identifier, ifNoneMatch, timestamp } from "../../platform/contract/primitives.ts";
import { domainSummary } from "../domains/contract/domains.ts";
import { rate } from "../tests/contract/placement.ts";
import { stream } from "../tests/contract/streams.ts";
import { testSummary } from "../tests/contract/tests.ts";

const rates = { inboxRate: rate, spamRate: rate, promoRate: rate };
const score = z.number().nullable().describe("Mean score of the analyzed tests. `null` without tests.");

const figures = {
  window: z.strictObject({ from: timestamp, to: timestamp }).describe("Seven days, starting on a quarter hour."),
  deliverabilityScore: score,
  ...rates,
  testCount: z.int().describe("Analyzed tests."),
  bounces7d: z.int(),
  complaints7d: z.int(),
};

const slice = z.strictObject({ date: z.iso.date(), tests: z.int(), score, ...rates });

const topIssue = z.strictObject({
  id: z.string().describe("`check.finding` ID."),
  title: z.string().describe("A label of 2 to 6 words without evidence."),
  severity: z.enum(severities),
  tests: z.int(),
  share: z.number().describe("Share of this week's tests, from 0 to 1."),
  example: identifier("test").nullable().describe("A recent test with this issue."),
  summary: z
    .string()
    .nullable()
    .describe(
      "A sentence about that test, with the evidence. `null` if there is none to add to the title, or if the test's newest report no longer has the issue.",
    ),
});

const providerRates = z.strictObject({
  provider: z.string().describe("Provider, or `imap:<account>` for a seed mailbox without a known provider."),
  ...rates,
  tests: z.int().describe("Tests counted in this placement."),
  observed: z.int().describe("Tests seen in a seed mailbox. The others are predicted."),
});

export const dashboardSummary = z
  .strictObject({
    ...figures,
    previous: z.strictObject(figures).describe("The seven days before."),
    needsYou: z
      .strictObject({
        tests: z
          .int()
          .describe(
            "Analyzed tests of the seven days that have a critical or major issue, or are likely in spam or rejected somewhere.",
          ),
        newest: z
          .array(
            z.strictObject({
              test: testSummary,
              issue: z
                .strictObject({ id: z.string(), title: z.string(), severity: z.enum(severities) })
                .nullable()
                .describe("What to fix first."),
              lost: z
                .array(z.string())
                .describe("The providers where it is likely or was seen in spam, or would be rejected."),
            }),
          )
          .describe("The 5 worst of them: critical or rejected, then the lowest scores, then the newest."),
        search: z.string().describe("The search that finds them all, for GET /api/tests."),
      })
      .describe("Messages that need you."),
    trend: z.array(slice).describe("The last 30 days in the given time zone, oldest first. The last entry is today."),
    recentTests: z.array(testSummary),
    feedback: z
      .strictObject({
        open: z.int().describe("Open problems that no member has acknowledged."),
        newest: z.array(
          z.strictObject({
            id: identifier("feedbackProblem"),
            domain: z.strictObject({ id: identifier("domain"), domain: z.string() }),
            title: z.string(),
            openedAt: timestamp,
          }),
        ),
      })
      .describe("Problems that reports, bounces, and complaints show about monitored domains, newest first."),
    movedStreams: z
      .array(stream)
      .describe("Streams with an unusual score in the last seven days, newest first, at most 5."),
    streams: z
      .array(z.strictObject({ stream, scores: z.array(z.number()).describe("Of the newest tests, oldest first.") }))
      .describe(
        "Streams with several tests: those with an unusual score first, then those with the newest tests, at most 5.",
      ),
    monitors: z.strictObject({ up: z.int().describe("Monitors that are turned on and not down.") }),
    downMonitors: z
      .array(
        z.strictObject({
          id: identifier("monitor"),
          name: z.string(),
          since: timestamp,
          says: z.string().nullable().describe("Why."),
        }),
      )
      .describe("Monitors that are down, the newest first, at most 5."),
    newestFailed: testSummary
      .nullable()
      .describe(
        "The newest test whose analysis failed, no matter how old. `null` if none failed. Not counted in any statistics.",
      ),
    topIssues: z.array(topIssue).describe("This week's issues, highest total cost first."),
    placement: z.array(providerRates).describe("This week's placement by provider."),
    domains: z.strictObject({
      monitored: z.int(),
      failing: z.int(),
      drifted24h: z.int(),
      fine: z.int().describe("Domains that are checked, answer, don't fail, and didn't change in the last 24 hours."),
      worst: z
        .array(domainSummary.pick({ id: true, domain: true, spf: true, dkim: true, dmarc: true, bimi: true }))
        .describe(
          "Those that fail, then those that don't answer, then those that changed in the last 24 hours, at most 5.",
        ),
    }),
  })
  .meta({ id: "DashboardSummary" });

export type DashboardSummary = z.infer<typeof dashboardSummary>;

/** What features that may be missing add. */
export type FeatureParts = Pick<DashboardSummary, "downMonitors" | "monitors" | "movedStreams" | "streams">;

export const readDashboard = defineEndpoint({
  method: "GET",
  path: "/api/dashboard/summary",
  token: "read",
  summary:
    "Returns what Home shows: the messages that need you, and the figures. Gallery samples, uploads, and failed tests are not counted, but the newest failed test is included separately.",
  headers: ifNoneMatch,
  query: z.strictObject({
    tz: z
      .string()
      .refine(isTimeZone, "must be a time zone like Europe/Berlin")
      .default("UTC")
      .describe("IANA time zone for the days."),
  }),
  answer: dashboardSummary,
});
