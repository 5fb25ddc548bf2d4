// DMARC aggregate reports and TLS reports received by mail (RFC 9990, RFC 8460).

import { z } from "zod";
import { dispositions } from "../../../analyzer/mail/reports/mail-class.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import {
  identifier,
  listOf,
  pageOf,
  pageQuery,
  queryInteger,
  timestamp,
} from "../../../platform/contract/primitives.ts";

const mailReport = z
  .strictObject({
    id: identifier("mailReport"),
    type: z.enum(["dmarc", "tls"]),
    receivedAt: timestamp,
    organization: z.string().nullable(),
    reportId: z.string().nullable(),
    domain: z.string().nullable().describe("The domain that the report is about."),
    beginsAt: timestamp.nullable(),
    endsAt: timestamp.nullable(),
    total: z.int().nullable().describe("Number of messages (`dmarc`) or sessions (`tls`) in the report."),
    failed: z.int().nullable(),
    problem: z.string().nullable().describe("Why it could not be read."),
    counted: z.boolean().describe("`false`: it could not be read, or it is a duplicate that was already counted."),
    senderDomain: z.string().nullable().describe("Registrable domain in the From header of the message."),
    authenticated: z
      .boolean()
      .nullable()
      .describe(
        "Whether SPF or DKIM authenticates `senderDomain`. Only such reports raise alerts. `false` also for a report that a person forwarded. `null` for reports from earlier versions.",
      ),
  })
  .meta({ id: "MailReport" });

export type MailReport = z.infer<typeof mailReport>;

const text = z.string().nullable();

const reportedPolicy = z
  .strictObject({
    p: text,
    sp: text,
    np: text,
    adkim: text,
    aspf: text,
    pct: text.describe("Only in RFC 7489."),
    testing: text.describe("`y`: `t=y` is published (RFC 9989)."),
    discoveryMethod: text.describe("How the receiver found the policy: `psl` or `treewalk`."),
  })
  .describe("The published policy as reported by the receiver.");

const reportedSource = z.strictObject({
  sourceIp: text.describe("`null`: not reported, or many small sources combined."),
  messages: z.int(),
  disposition: z.enum(dispositions).nullable(),
  dkimAligned: z.boolean(),
  spfAligned: z.boolean(),
  headerFrom: text,
  dkim: z.array(z.strictObject({ domain: z.string(), selector: text, result: text })),
  spf: z.array(z.strictObject({ domain: z.string(), scope: text, result: text })),
  reasons: z.array(z.strictObject({ type: z.string(), comment: text })),
});

const tlsFailure = z.strictObject({
  resultType: text.describe(
    "Failure type (RFC 8460 §4.3). Like the following fields, `null` for many small failures combined.",
  ),
  sendingIp: text,
  mxHost: text,
  receivingIp: text,
  reasonCode: text,
  sessions: z.int(),
});

const tlsPolicy = z.strictObject({
  type: text.describe("`sts`, `tlsa` or `no-policy-found`."),
  domain: text,
  successful: z.int(),
  failed: z.int(),
  failures: z.array(tlsFailure),
});

const wholeMailReport = mailReport
  .extend({
    policy: reportedPolicy.nullable(),
    sources: z.array(reportedSource).describe("For DMARC reports. Most messages first."),
    tlsPolicies: z.array(tlsPolicy).describe("For TLS reports."),
  })
  .meta({ id: "WholeMailReport" });

export type WholeMailReport = z.infer<typeof wholeMailReport>;

export const listMailReports = defineEndpoint({
  method: "GET",
  path: "/api/reports",
  token: "read",
  summary: "Lists DMARC and TLS reports, newest first.",
  query: z.strictObject(pageQuery("mailReport")),
  answer: pageOf(mailReport),
});

const reportSums = z.strictObject({
  reports: z.int(),
  messages: z.int(),
  failed: z.int().describe("Messages that failed DMARC."),
});

const reportedDomain = reportSums
  .extend({
    domain: z.string(),
    domainId: identifier("domain").nullable().describe("`null` if the workspace doesn't monitor the domain."),
    unauthenticated: reportSums.describe(
      "The same for reports that are not authenticated, which anyone could have sent. The other numbers leave them out.",
    ),
  })
  .meta({ id: "ReportedDomain" });

export type ReportedDomain = z.infer<typeof reportedDomain>;

export const listReportedDomains = defineEndpoint({
  method: "GET",
  path: "/api/reports/domains",
  token: "read",
  summary:
    "Sums the DMARC reports that arrived in the last days by domain, 100 at most: monitored domains first, then those with the most failed messages in authenticated reports.",
  query: z.strictObject({ days: queryInteger(1, 90).default(30).describe("Number of days, ending now.") }),
  answer: listOf(reportedDomain),
});

export const readMailReport = defineEndpoint({
  method: "GET",
  path: "/api/reports/:id",
  token: "read",
  summary:
    "Returns a report with its numbers as reported. A report that is not counted has no rows here. A duplicate's rows are in the first report.",
  answer: wholeMailReport,
});

export const readRawMailReport = defineEndpoint({
  method: "GET",
  path: "/api/reports/:id/raw",
  token: "read",
  summary: "Downloads the original message as received.",
  answer: { mediaType: "message/rfc822", download: true },
});

// Automatic replies and read receipts: kept, but neither tests nor bounces (src/decisions.md, "Receiving").

const autoReply = z
  .strictObject({
    id: identifier("test"),
    receivedAt: timestamp,
    from: z.string().nullable(),
    subject: z.string().nullable(),
    to: z.array(z.string()),
  })
  .meta({ id: "AutoReply" });

export type AutoReply = z.infer<typeof autoReply>;

export const listAutoReplies = defineEndpoint({
  method: "GET",
  path: "/api/auto-replies",
  token: "read",
  summary: "Lists automatic replies and read receipts, newest first.",
  query: z.strictObject(pageQuery("test")),
  answer: pageOf(autoReply),
});

export const readRawAutoReply = defineEndpoint({
  method: "GET",
  path: "/api/auto-replies/:id/raw",
  token: "read",
  summary: "Downloads the original message as received.",
  answer: { mediaType: "message/rfc822", download: true },
});
