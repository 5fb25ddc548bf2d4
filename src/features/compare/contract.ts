// What changed between two tests, or between two reports of one test.

import { z } from "zod";
import { areas, severities } from "../../analyzer/checks/check.ts";
import { type Comparison, causes } from "../../analyzer/reports/compare.ts";
import type { DnsSide } from "../../analyzer/reports/compare-dns.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { idParams, requestTime, timestamp } from "../../platform/contract/primitives.ts";
import { judgmentFields } from "../tests/contract/judgment.ts";

const change = z
  .strictObject({ what: z.string(), before: z.string().nullable(), after: z.string().nullable(), says: z.string() })
  .meta({ id: "Change" });

const dnsSide = z.strictObject({ status: z.string(), records: z.array(z.string()), records_left_out: z.int() });

const dnsChange = z
  .strictObject({ name: z.string(), type: z.string(), before: dnsSide, after: dnsSide, says: z.string() })
  .meta({ id: "DnsChange" });

export const toldFinding = z
  .strictObject({
    id: z.string(),
    check: z.string(),
    area: z.enum(areas),
    severity: z.enum(severities),
    title: z.string().describe("A label of 2 to 6 words without evidence."),
    summary: z.string().describe("A sentence that describes the finding, with the evidence."),
    cost: z.number(),
    count: z.int().describe("Number of occurrences."),
  })
  .meta({ id: "ToldFinding" });

export const says = z.array(z.string()).describe("Plain sentences, most important first.");
export const causeList = z
  .array(z.enum(causes))
  .describe(
    "What may have changed the results: the message, the sender's infrastructure, DNS, circumstances (user input, scanners, blocklists), or Assay's rules.",
  );

const side = z.strictObject({ test_id: z.string(), analyzed_at: timestamp });

const comparison = z
  .strictObject({
    before: side.describe("The report to compare against."),
    after: side,
    says,
    causes: causeList,
    mail: z.array(change),
    infrastructure: z.array(change),
    dns: z.array(dnsChange).describe("Only lookups that both reports made. TTL, order, and time are ignored."),
    circumstances: z.array(change),
    rules: z.strictObject({
      before: z.string().describe("Assay version."),
      after: z.string(),
      findings: z.array(z.string()).describe("Findings that differ even though nothing else does."),
    }),
    verdicts: z.array(change),
    findings: z.strictObject({
      gone: z.array(toldFinding),
      added: z.array(toldFinding),
      changed: z.array(z.strictObject({ before: toldFinding, after: toldFinding })),
    }),
    scores: z.array(
      z.strictObject({
        of: z.enum(["composite", ...areas]),
        label: z.string(),
        before: z.number().nullable(),
        after: z.number().nullable(),
      }),
    ),
    coverage: z.strictObject({ before: z.number(), after: z.number() }),
    grade: z.strictObject({ before: judgmentFields.grade, after: judgmentFields.grade }),
  })
  .meta({ id: "Comparison" });

export function toComparisonFields({ dns, ...comparison }: Comparison) {
  const changes = dns.map((change) => ({
    ...change,
    before: toDnsSide(change.before),
    after: toDnsSide(change.after),
  }));
  return { ...comparison, dns: changes };
}

function toDnsSide({ leftOut, ...side }: DnsSide): z.input<typeof dnsSide> {
  return { status: side.status, records: [...side.records], records_left_out: leftOut };
}

const otherParams = idParams.extend({ other: z.string().describe("ID of the test to compare against.") });
const otherReport = z.strictObject({
  report: requestTime
    .optional()
    .describe("`analyzed_at` of one of the other test's reports (GET /api/tests/:id/reports). Defaults to its newest."),
});

export const compareTests = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/compare/:other",
  token: "read",
  labelToken: "path",
  summary:
    "Compares a test's report with another test's report, or with an earlier report of either. To compare two reports of the same test, use its ID twice and set `report`.",
  params: otherParams,
  query: otherReport,
  answer: comparison,
  errors: ["conflict", "rate_limited", "overloaded"],
});

export const splitScoreChange = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/compare/:other/causes",
  token: "read",
  labelToken: "path",
  summary:
    "Splits the difference between two scores among its causes. Both messages are analyzed again from recorded evidence, with the message, the sending server, DNS and the test conditions exchanged one by one.",
  params: otherParams,
  query: otherReport,
  answer: z
    .strictObject({
      before: z.number().describe("The other test's score."),
      after: z.number(),
      causes: z
        .array(z.strictObject({ cause: z.enum(causes), points: z.number() }))
        .describe(
          "Points of each cause, largest first. They add up to the difference. Causes without effect are left out.",
        ),
    })
    .meta({ id: "ScoreSplit" }),
  errors: ["conflict", "rate_limited", "overloaded"],
});
