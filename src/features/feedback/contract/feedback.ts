// Problems that DMARC and TLS reports, bounces and complaints show about monitored domains, and advice on the policy.

import { z } from "zod";
import { bounceClasses } from "../../../analyzer/mail/reports/mail-class.ts";
import { senderKinds } from "../../../analyzer/senders/name-sender.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, pageOf, pageQuery, timestamp } from "../../../platform/contract/primitives.ts";
import { feedbackKinds, resolutions } from "../rules/problem.ts";

const day = z.iso.date();
const text = z.string().nullable();
const count = z.int();

const problemDetail = z
  .strictObject({
    source: text.describe("Name of the sender, or its network."),
    sourceKind: z.enum(senderKinds).nullable(),
    addresses: z.array(z.string()),
    passed: count.nullable(),
    headerFroms: z.array(z.string()),
    selector: text,
    dkimDomain: text,
    failedFromUnknown: count.nullable().describe("Failed messages from sources that never passed before."),
    failures: z.array(z.strictObject({ resultType: text, mxHost: text, sessions: count })),
    threshold: z.number().nullable().describe("Complaint rate that was exceeded."),
    bounceClass: z.enum(bounceClasses).nullable(),
    reporter: text.describe(
      "`null` for all reporters. A complaint rate with a provider is of what its webhook counted as delivered.",
    ),
    lastDay: day.nullable(),
    silentDays: count.nullable(),
    longestGap: count.nullable().describe("Longest pause before, in days."),
  })
  .describe("Fields that the kind doesn't have are `null` or empty.");

const evidence = z.strictObject({
  from: day,
  to: day.describe("Days are in UTC, and include both."),
  count: count.describe("Messages, sessions, complaints, bounces, or days with reports that the problem is about."),
  total: count.nullable().describe("Of how many. `null` if unknown."),
  usual: z
    .strictObject({ from: day, to: day, count, total: count.nullable() })
    .nullable()
    .describe("The same on the days before."),
  reporters: z
    .array(z.strictObject({ reporter: z.string(), count, total: count.nullable() }))
    .describe("Authenticated domains, and providers with signed webhooks, that reported it, at most ten."),
  reports: z.array(identifier("mailReport")).describe("Reports with these figures, at most ten."),
  detail: problemDetail,
});

export const feedbackProblem = z
  .strictObject({
    id: identifier("feedbackProblem"),
    domain: z.strictObject({ id: identifier("domain"), domain: z.string() }),
    kind: z.enum(feedbackKinds),
    sourceKey: text.describe("Of a new source: its `key` in the policy coach's list."),
    state: z.enum(["open", "resolved"]),
    title: z.string(),
    says: z.array(z.string()),
    advice: z.string(),
    openedAt: timestamp,
    updatedAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolution: z
      .enum(resolutions)
      .nullable()
      .describe(
        "`over`: the figures are back. `known`: a new source counts as usual now. `no-data`: reports no longer say anything. `acknowledged`: a member marked it as known. `not-yours`: a member said that the source isn't theirs.",
      ),
    acknowledgedAt: timestamp.nullable().describe("When a member acknowledged it. It sends no more alerts."),
    evidence,
  })
  .meta({ id: "FeedbackProblem" });
export type FeedbackProblem = z.infer<typeof feedbackProblem>;

export const listFeedbackProblems = defineEndpoint({
  method: "GET",
  path: "/api/feedback-problems",
  token: "read",
  summary:
    "Lists problems that DMARC and TLS reports, bounces, and complaints show about monitored domains, newest first. Only reports from authenticated senders count.",
  query: z.strictObject({
    ...pageQuery("feedbackProblem"),
    state: z.enum(["open", "all"]).default("open").describe("`open`: only those that aren't over."),
    domainId: identifier("domain").optional().describe("Only problems of this monitored domain."),
  }),
  answer: pageOf(feedbackProblem),
});

export const acknowledgeFeedbackProblem = defineEndpoint({
  method: "POST",
  path: "/api/feedback-problems/:id/acknowledge",
  token: "write",
  summary:
    "Marks a problem as known. A new source then counts as yours and is resolved. Other problems stay open until they are over, without further alerts.",
  answer: feedbackProblem,
  status: 200,
});

export const readDomainFeedback = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/feedback",
  token: "read",
  summary:
    "Returns a domain's feedback problems, what they are judged by, and whether Assay is still learning what is usual.",
  answer: z
    .strictObject({
      evaluatedAt: timestamp
        .nullable()
        .describe("`null` before the first evaluation. It happens hourly if something arrived."),
      learningUntil: day
        .nullable()
        .describe("Until then, nothing is compared with what is usual. `null` if no authenticated report has arrived."),
      reports: count.describe("DMARC reports of the last 35 days. Duplicates count once."),
      authenticatedReports: count.describe("Of these, those whose sender SPF or DKIM authenticates. Only they count."),
      reporters: count.describe("Domains that sent authenticated reports."),
      newReporters: count.describe(
        "Of these, those whose reports arrived on fewer than three days so far. They don't count yet.",
      ),
      notices: count.describe("Bounces and complaints about the domain's mail."),
      authenticatedNotices: count,
      problems: z.array(feedbackProblem).describe("The newest 20, open ones first."),
    })
    .meta({ id: "DomainFeedback" }),
});
export type DomainFeedback = z.infer<typeof readDomainFeedback.answer>;
