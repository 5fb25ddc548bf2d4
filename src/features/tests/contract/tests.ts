// A test is one received message. Its fields have the same names as the columns of the CSV export (src/decisions.md,
// "Resources").

import { z } from "zod";
import { toPlainAddress } from "../../../analyzer/addresses.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import {
  type FieldRefusals,
  identifier,
  ifNoneMatch,
  pageOf,
  pageQuery,
  pick,
  requestTime,
  timestamp,
  trustedHosts,
} from "../../../platform/contract/primitives.ts";
import { longestSearch } from "../words/test-search-words.ts";
import { judgmentFields, judgmentSummary } from "./judgment.ts";
import { placementRates } from "./placement.ts";
import { reportFields, resultWords } from "./report.ts";
import { briefFields, toBriefFields } from "./test-brief.ts";
import { testFilters, testLabel, testStatus } from "./test-filters.ts";
import { transport } from "./transport.ts";

const testFields = {
  id: identifier("test"),
  received_at: timestamp,
  from: z.string().nullable().describe("As written in the message."),
  subject: z.string().nullable(),
  status: testStatus.describe("A failed test keeps its message and can be re-analyzed."),
  composite: judgmentSummary.composite,
  ...placementRates,
  ...resultWords,
  to: z.array(z.string()).describe("The seed addresses that it was sent to."),
  label: z.string().nullable().describe("The part of the address after the plus sign."),
  kind: judgmentSummary.kind,
  malware: z
    .enum(["found", "suspicious", "none"])
    .nullable()
    .describe(
      "What ClamAV found. `suspicious`: only by a rule of thumb. `null`: unknown, because no scanner is set up, not all of it could be scanned, or an earlier version of Assay analyzed it.",
    ),
  coverage: judgmentSummary.coverage,
  grade: judgmentFields.grade,
  size_bytes: z.int(),
  analyzed_at: timestamp.nullable(),
  send_id: identifier("send").nullable().describe("The sample that it came from, if Assay sent it."),
  seed_inbox_id: identifier("seedInbox").nullable().describe("The inbox may have been deleted since."),
  sample: z.boolean().describe("Whether it comes from the sample gallery. Samples are not counted in any statistics."),
};

export const testSummary = z.strictObject(testFields).meta({ id: "TestSummary" });
export type TestSummary = z.infer<typeof testSummary>;

export const analysisSteps = ["reading", "verifying", "judging", "writing"] as const;

export const testReport = z
  .strictObject({
    ...testFields,
    /** Why the analysis failed. The raw message is kept. */
    failure: z.string().nullable(),
    dns_update: z
      .strictObject({
        at: timestamp,
        first_analyzed_at: timestamp.describe("When the report was created that DNS left incomplete."),
        first_composite: z.number().nullable(),
      })
      .nullable()
      .describe("Set if the report was updated automatically, because DNS did not answer at first."),
    transport,
    progress: z
      .strictObject({
        step: z
          .enum(analysisSteps)
          .describe(
            "`reading`: parsing the message. `verifying`: checking signatures and looking up DNS. `judging`: running the checks. `writing`: writing the report.",
          ),
        seconds: z.int().describe("Since the analysis started."),
        lookup_seconds: z.int().describe("When lookups end. What hasn't answered by then is missing from the report."),
      })
      .optional()
      .describe("While it is analyzed. Left out if it waits, or if the server analyzes others at the same time."),
    ...reportFields,
  })
  .meta({ id: "Test" });
export type TestReport = z.infer<typeof testReport>;

/** `detail=brief`. */
const testBrief = z
  .strictObject({ ...testFields, failure: testReport.shape.failure, ...briefFields })
  .meta({ id: "TestBrief" });

export function toTestBrief(test: TestReport): z.infer<typeof testBrief> {
  const summary = pick(test, Object.keys(testFields) as (keyof TestSummary)[]);
  return { ...summary, failure: test.failure, ...toBriefFields(test) };
}

/** The cursor of a list by score begins with the score. */
const testCursor = z
  .string()
  .regex(/^(?:\d{1,3}(?:\.\d{1,17})?:)?tst_[0-9a-hjkmnp-tv-z]{26}$/)
  .optional()
  .describe("`next` from the previous page. `offset` then counts from there.");

export const listTests = defineEndpoint({
  method: "GET",
  path: "/api/tests",
  token: "read",
  labelToken: "handler",
  summary:
    "Lists the workspace's tests, newest first unless `sort` says otherwise. With filters, a page can have fewer items than `limit`, or none, before the last page. Continue until `next` is `null`.",
  query: z.strictObject({ ...pageQuery("test"), cursor: testCursor, ...testFilters }),
  answer: pageOf(testSummary),
});

export const readTest = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id",
  token: "read",
  labelToken: "path",
  summary:
    "Returns a test with its report, which can be 100 KB. `detail=brief` returns what to fix and where the message lands in a few KB, and `fields` only those fields of the report.",
  headers: ifNoneMatch,
  query: z.strictObject({
    detail: z.enum(["brief", "full"]).default("full").describe("`brief`: a TestBrief instead of a Test."),
    fields: z
      .string()
      .max(1_000)
      .transform((text, context) => {
        const names = text.split(",").map((name) => name.trim());
        const wrong = names.find((name) => !Object.hasOwn(testReport.shape, name));
        if (wrong === undefined) return names as (keyof TestReport)[];
        context.addIssue({
          code: "custom",
          message: `has no field "${wrong.replace(/\p{C}/gu, "").slice(0, 50)}" to return`,
        });
        return z.NEVER;
      })
      .optional()
      .meta({
        description: "Names of top-level fields, separated by commas. The response has only these.",
        examples: ["composite,findings"],
      }),
  }),
  answer: testReport,
  variants: [testBrief, testReport.partial().meta({ id: "TestFields" })],
});

export const readRawTest = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/raw",
  token: "read",
  labelToken: "path",
  summary: "Downloads the original message as received.",
  answer: { mediaType: "message/rfc822", download: true },
});

export const deleteTest = defineEndpoint({
  method: "DELETE",
  path: "/api/tests/:id",
  token: "write",
  labelToken: "path",
  summary: "Deletes a test with its message and reports.",
});

/** The highest number of tests that a list knows exactly under filters. */
const mostDeleted = 10_000;
const oneTest = "tst_01kakzq3v1c8w2e5m7r9t0xyza";
/** In any form: an ID that isn't a test is ignored. */
const testId = z
  .string()
  .max(100)
  .meta({ examples: [oneTest] });

export const deleteTests = defineEndpoint({
  method: "POST",
  path: "/api/tests/delete",
  token: "write",
  summary:
    "Deletes tests with their messages and reports: those in `ids`, or all that `search` finds. IDs that do not match a test in the workspace are ignored.",
  body: z
    .strictObject({
      ids: z.array(testId).min(1).max(1_000).optional(),
      search: z
        .string()
        .max(longestSearch)
        .optional()
        .describe("As in GET /api/tests. Empty: all tests. Requires `expected`."),
      expected: z
        .int()
        .min(0)
        .max(mostDeleted)
        .optional()
        .describe(
          "With `search`: the number of tests that you expect. If more match, none is deleted, and the response is `conflict`.",
        ),
      undoable: z
        .boolean()
        .default(false)
        .describe(
          "Whether to keep the tests for 10 seconds, hidden from lists, so that POST /api/tests/restore can bring them back.",
        ),
    })
    .superRefine(({ ids, search, expected }, context) => {
      const complain = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
      if (ids === undefined && search === undefined) complain("ids", 'is required, unless "search" is given');
      if (ids !== undefined && search !== undefined) complain("search", 'can\'t be combined with "ids"');
      if (search !== undefined && expected === undefined) complain("expected", 'is required with "search"');
    })
    .meta({ examples: [{ ids: [oneTest] }, { search: "label:ci before:30d", expected: 120, undoable: true }] }),
  answer: z.strictObject({
    deleted: z.int().describe("Number of tests deleted."),
    undo: identifier("removal").optional().describe("With `undoable`: the ID for POST /api/tests/restore."),
  }),
  status: 200,
  errors: ["conflict"],
});

export const restoreTests = defineEndpoint({
  method: "POST",
  path: "/api/tests/restore",
  token: "write",
  summary:
    "Undoes a deletion with `undoable`, up to 10 seconds after it. Later, the response is `conflict`, and the tests stay deleted.",
  body: z
    .strictObject({ undo: z.string().max(100).describe("From the response to the deletion.") })
    .meta({ examples: [{ undo: "rmv_01kakzq3v1c8w2e5m7r9t0xyza" }] }),
  answer: z.strictObject({ restored: z.int().describe("Number of tests restored.") }),
  status: 200,
  errors: ["conflict"],
});

/** What the uploader says about the session that brought the message. Shown as claimed, or unknown if left out. */
const claims = {
  ip: z
    .string()
    .max(100)
    .transform((text, context) => {
      const address = toPlainAddress(text);
      if (address === undefined) context.addIssue({ code: "custom", message: "must be an IP address" });
      return address ?? z.NEVER;
    })
    .optional()
    .meta({ description: "IP address that the message was sent from.", examples: ["192.0.2.1"] }),
  helo: z
    .string()
    .regex(/^[!-~\u00a0-\u{10ffff}]{1,255}$/u)
    .optional()
    .meta({ description: "HELO or EHLO name of the client.", examples: ["mail.example.com"] }),
  mail_from: z
    .string()
    .max(320)
    .regex(/^([^\s<>\p{C}]+@[^\s<>@\p{C}]+)?$/u)
    .optional()
    .meta({
      description: "Envelope sender; empty for the null reverse-path.",
      examples: ["ann@example.com"],
      ...({ invalid: "invalid_email" } satisfies FieldRefusals),
    }),
  received_at: requestTime
    .optional()
    .meta({
      description:
        "When the message was received. Defaults to the date of its newest Received header. Signatures and clocks are checked against this time.",
      examples: ["2024-06-03T10:00:00Z"],
    }),
  trust: trustedHosts
    .optional()
    .meta({
      description:
        "Trusted receivers, separated by commas. Assay trusts their Authentication-Results and Received headers in the message.",
      examples: ["mx.google.com"],
    }),
};

const notATest = z
  .strictObject({
    kind: z.enum(["bounce", "complaint", "report", "auto-reply"]),
    says: z.array(z.string()).describe("A sentence for each report."),
  })
  .describe("What the message is instead. It is listed under Feedback, and gets no score.");

export const uploadTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/upload",
  token: "write",
  labelToken: "handler",
  summary:
    "Creates a test from a message that was not received over SMTP. The body is the message, or a form with one file. It does not trigger alerts. A DMARC or TLS report is taken as a file, too (XML, JSON, gzip, or ZIP), and listed as not authenticated.",
  query: z.strictObject({ ...claims, label: testLabel.optional().describe("Label of the test.") }),
  body: { mediaType: "message/rfc822", form: true },
  answer: testReport.extend({ not_a_test: notATest.optional() }).meta({ id: "UploadedTest" }),
  errors: ["overloaded", "plan_limit"],
});
