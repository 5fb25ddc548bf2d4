// A test analysed anew: by today's rules, against today's DNS or against what was recorded.

import { z } from "zod";
import { kinds } from "../checks/kind.ts";
import { changeableTypes } from "../dns/domain-name.ts";
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

const keptReport = z
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

// The report that a test would have with other records in DNS.

/** Together a few kilobytes for all that a person would try out; a DKIM key of 4,096 bits takes 800 characters. */
const most = { records: 50, values: 20, valueCharacters: 4_096 };

const givenRecord = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(255)
      .describe(
        "In full; *.example.com answers for names that are not there, unless what they answer is recorded.",
      ),
    type: z.enum(changeableTypes),
    values: z
      .array(z.string().max(most.valueCharacters))
      .max(most.values)
      .describe(
        "All records of this type at the name, each as in a zone file (`10 mx.example.com`); a text may stand without quotation marks. None: they are removed.",
      ),
  })
  .meta({ id: "GivenRecords" });

export const givenRecords = z.strictObject({ records: z.array(givenRecord).min(1).max(most.records) }).meta({
  examples: [{ records: [{ name: "_dmarc.example.com", type: "TXT", values: ["v=DMARC1; p=reject"] }] }],
});

export const askWhatIf = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/what-if",
  access: "member",
  summary:
    "The report that a test would have with these records in DNS, and all else as recorded. What was not recorded is asked now. Its placement is predicted throughout: what a mailbox showed is of the records as they were. Nothing is stored.",
  params: idParams,
  body: givenRecords,
  answer: testReport,
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
