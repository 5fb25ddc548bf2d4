// A test is one received message. It speaks the CSV export's column names everywhere (decisions §1).

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams, identifier, timestamp } from "./primitives.ts";

const resultWord = z.enum(["pass", "fail", "softfail", "neutral", "none", "policy", "temperror", "permerror"]);

const testFields = {
  id: identifier("test"),
  received_at: timestamp,
  from: z.string().nullable(),
  subject: z.string().nullable(),
  status: z.enum(["received", "analyzing", "analyzed", "failed"]),
  /** Null until analysed, and where it could not be found out. */
  spf: resultWord.nullable(),
  dkim: resultWord.nullable(),
  dmarc: resultWord.nullable(),
  to: z.array(z.string()),
  label: z.string().nullable(),
  size_bytes: z.int(),
  analyzed_at: timestamp.nullable(),
};

export const testSummary = z.strictObject(testFields).meta({ id: "TestSummary" });
export type TestSummary = z.infer<typeof testSummary>;

export const testReport = z
  .strictObject({
    ...testFields,
    /** Why the analysis failed; the raw message is kept. */
    failure: z.string().nullable(),
    /** The envelope and the client, as heard. */
    transport: z.record(z.string(), z.unknown()),
    /** The verdicts with the records behind them; null until analysed. */
    authentication: z.record(z.string(), z.unknown()).nullable(),
    /** When and by which version, with every DNS answer that was used. */
    analysis: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "Test" });
export type TestReport = z.infer<typeof testReport>;

const testCursor = z
  .string()
  .regex(/^\d{1,15}-tst_[0-9a-z]{26}$/)
  .transform((text) => ({ received_at: Number.parseInt(text, 10), id: text.slice(text.indexOf("-") + 1) }));

export const listTests = defineEndpoint({
  method: "GET",
  path: "/api/tests",
  access: "member",
  summary: "The tests of the workspace, newest first.",
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    /** `next` of the page before. */
    cursor: testCursor.optional(),
  }),
  answer: z.strictObject({ items: z.array(testSummary), limit: z.int(), next: z.string().nullable() }),
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
  answer: { mediaType: "message/rfc822" },
});
