// A test is one received message. Its fields have the names of the CSV export's columns (src/decisions.md, "Resources").

import { z } from "zod";
import { toPlainAddress } from "../addresses.ts";
import { toAsciiDomain } from "../mail/headers/registrable-domain.ts";
import { toSearchWords } from "../search-words.ts";
import { defineEndpoint } from "./endpoint.ts";
import { judgmentSummary } from "./judgment.ts";
import { placementRates } from "./placement.ts";
import {
  type FieldRefusals,
  identifier,
  idParams,
  pageOf,
  pageQuery,
  queryDecimal,
  requestTime,
  timestamp,
  trustedHosts,
} from "./primitives.ts";
import { reportFields, resultWords } from "./report.ts";
import { transport } from "./transport.ts";

const testFields = {
  id: identifier("test"),
  received_at: timestamp,
  from: z.string().nullable().describe("As the message says it."),
  subject: z.string().nullable(),
  status: z
    .enum(["received", "analyzing", "analyzed", "failed"])
    .describe("A failed one keeps its message and can be analysed again."),
  composite: judgmentSummary.composite,
  ...placementRates,
  ...resultWords,
  to: z.array(z.string()).describe("The seed addresses that it was sent to."),
  label: z.string().nullable().describe("What stood behind the plus sign of the address."),
  kind: judgmentSummary.kind,
  coverage: judgmentSummary.coverage,
  size_bytes: z.int(),
  analyzed_at: timestamp.nullable(),
  send_id: identifier("send").nullable().describe("The send of ours that it came of."),
  seed_inbox_id: identifier("seedInbox").nullable().describe("The inbox may be deleted since."),
  sample: z.boolean().describe("Of the laboratory: no figure counts it."),
};

export const testSummary = z.strictObject(testFields).meta({ id: "TestSummary" });
export type TestSummary = z.infer<typeof testSummary>;

export const testReport = z
  .strictObject({
    ...testFields,
    /** Why the analysis failed; the raw message is kept. */
    failure: z.string().nullable(),
    transport,
    ...reportFields,
  })
  .meta({ id: "Test" });
export type TestReport = z.infer<typeof testReport>;

const label = z.string().min(1).max(200);

const score = queryDecimal(0, 100);

const mostWords = 10;

/** Combined, they let through what each of them does. */
const filters = {
  q: z
    .string()
    .max(200)
    .transform((text, context) => {
      const words = toSearchWords(text);
      if (words.length > 0 && words.length <= mostWords) return words;
      context.addIssue({ code: "custom", message: `must have 1 to ${mostWords} words` });
      return z.NEVER;
    })
    .optional()
    .describe(
      "Words that subject or sender hold, all of them, whatever their case; the first 400 characters of each are searched.",
    ),
  status: testFields.status.optional().describe("Only the tests with this status."),
  label: label.optional().describe("Only the tests with this label."),
  from_domain: z
    .string()
    .max(300)
    .transform((text, context) => {
      const domain = toAsciiDomain(text);
      if (domain === null)
        context.addIssue({ code: "custom", message: "must be a domain name like example.com" });
      return domain ?? z.NEVER;
    })
    .optional()
    .describe("Domain of the address in From."),
  min_score: score.optional().describe("Of `composite`, itself included; a test without one is left out."),
  max_score: score.optional().describe("Of `composite`, itself included; a test without one is left out."),
  since: requestTime.optional().describe("Received then or later."),
  until: requestTime.optional().describe("Received before then."),
};

export const listTests = defineEndpoint({
  method: "GET",
  path: "/api/tests",
  access: "member",
  summary:
    "The tests of the workspace, newest first. Under filters a page may hold fewer than its limit, even none, before the last: go on while `next` is not null.",
  query: z.strictObject({ ...pageQuery("test"), ...filters }),
  answer: pageOf(testSummary),
});

export const readTest = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id",
  access: "member",
  summary: "One test with its report.",
  params: idParams,
  answer: testReport,
});

export const readRawTest = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/raw",
  access: "member",
  summary: "The message exactly as it was received, as a download.",
  params: idParams,
  answer: { mediaType: "message/rfc822", download: true },
});

export const deleteTest = defineEndpoint({
  method: "DELETE",
  path: "/api/tests/:id",
  access: "member",
  summary: "Deletes a test with its message and its reports.",
  params: idParams,
  answer: null,
});

const oneTest = "tst_01kakzq3v1c8w2e5m7r9t0xyza";
/** Whatever its form: what is none is passed over. */
const testId = z
  .string()
  .max(100)
  .meta({ examples: [oneTest] });

export const deleteTests = defineEndpoint({
  method: "POST",
  path: "/api/tests/delete",
  access: "member",
  summary:
    "Deletes tests with their messages and their reports. What is no test of the workspace is passed over.",
  body: z.strictObject({ ids: z.array(testId).min(1).max(1_000) }).meta({ examples: [{ ids: [oneTest] }] }),
  answer: z.strictObject({ deleted: z.int().describe("How many of them there were.") }),
  status: 200,
});

/** What the uploader says of the session that brought the message; shown as claimed, and unknown where it is left out. */
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
    .meta({ description: "Address that the message was sent from.", examples: ["192.0.2.1"] }),
  helo: z
    .string()
    .regex(/^[!-~\u00a0-\u{10ffff}]{1,255}$/u)
    .optional()
    .meta({ description: "Name that the client greeted with.", examples: ["mail.example.com"] }),
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
  received_at: requestTime.optional().meta({
    description:
      "When the message was received; without it, the date of its newest Received header. Signatures and clocks are judged by it.",
    examples: ["2024-06-03T10:00:00Z"],
  }),
  trust: trustedHosts.optional().meta({
    description:
      "Receivers whose Authentication-Results and Received headers in the message are to be believed, separated by commas.",
    examples: ["mx.google.com"],
  }),
};

export const uploadTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/upload",
  access: "member",
  summary: "Makes a test of a message that came another way than by SMTP. It raises no alert.",
  query: z.strictObject({ ...claims, label: label.optional().describe("The label of the test.") }),
  body: { mediaType: "message/rfc822" },
  answer: testReport,
  errors: ["overloaded", "plan_limit"],
});
