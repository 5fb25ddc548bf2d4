// A test analysed anew: by today's rules, against today's DNS or against what was recorded.

import { z } from "zod";
import { kinds } from "../checks/kind.ts";
import { causeList, says } from "./comparison.ts";
import { defineEndpoint } from "./endpoint.ts";
import { idParams, listOf, timestamp } from "./primitives.ts";
import { resultWords } from "./report.ts";
import { testReport } from "./tests.ts";

const dns = z.enum(["live", "recorded"]);

export const reanalyzeTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/reanalyze",
  access: "member",
  summary: "Analyses a finished test anew, and answers its new report. The reports before it are kept.",
  params: idParams,
  query: z.strictObject({
    dns: dns
      .default("live")
      .describe(
        "recorded: with the answers kept with the test, so that the result depends on our rules alone.",
      ),
    kind: z
      .enum([...kinds, "inferred"])
      .optional()
      .describe(
        "What kind of message it is, from now on, whatever it looks like; inferred: what it looks like.",
      ),
  }),
  answer: testReport,
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});

export const keptReport = z
  .strictObject({
    analyzed_at: timestamp,
    /** Of the program. */
    version: z.string(),
    dns,
    ...resultWords,
    composite: z.number().nullable(),
    changed: z
      .strictObject({ causes: causeList, says })
      .nullable()
      .describe("Against the report before it, in short; null for the first."),
  })
  .meta({ id: "KeptReport" });
export type KeptReport = z.infer<typeof keptReport>;

export const listTestReports = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/reports",
  access: "member",
  summary: "The reports of a test, newest first: the first is the test's own, the others are earlier ones.",
  params: idParams,
  answer: listOf(keptReport),
  errors: ["rate_limited", "overloaded"],
});
