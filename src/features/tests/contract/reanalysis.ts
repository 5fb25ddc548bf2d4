// Re-analyzing a test: by the current rules, with current DNS or with the recorded answers.

import { z } from "zod";
import { kinds } from "../../../analyzer/checks/kind.ts";
import { changeableTypes } from "../../../analyzer/dns/domain-name.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { listOf, timestamp } from "../../../platform/contract/primitives.ts";
import { causeList, says } from "../../compare/contract.ts";
import { resultWords } from "./report.ts";
import { testReport } from "./tests.ts";

const dns = z.enum(["live", "recorded"]);

export const reanalyzeTest = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/reanalyze",
  token: "write",
  labelToken: "path",
  summary:
    "Re-analyzes a finished test and returns the new report. Earlier reports are kept. If the message can't be analyzed again, the answer is `conflict`, and the test keeps its report.",
  query: z.strictObject({
    dns: dns
      .default("live")
      .describe(
        "`recorded`: uses the DNS responses stored with the test, so that only changes in Assay's rules affect the result.",
      ),
    kind: z
      .enum([...kinds, "inferred"])
      .optional()
      .describe("The message type to use from now on. `inferred`: detect it from the message."),
  }),
  answer: testReport,
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});

const keptReport = z
  .strictObject({
    analyzed_at: timestamp,
    /** Assay's version. */
    version: z.string(),
    dns,
    ...resultWords,
    composite: z.number().nullable(),
    changed: z
      .strictObject({ causes: causeList, says })
      .nullable()
      .describe("Short comparison with the previous report. `null` for the first."),
  })
  .meta({ id: "KeptReport" });
export type KeptReport = z.infer<typeof keptReport>;

export const listTestReports = defineEndpoint({
  method: "GET",
  path: "/api/tests/:id/reports",
  token: "read",
  labelToken: "path",
  summary: "Lists a test's reports, newest first. The first is the current one.",
  answer: listOf(keptReport),
  errors: ["rate_limited", "overloaded"],
});

// The report that a test would have with other DNS records.

/** A few kilobytes in total are enough to try anything out. A 4,096-bit DKIM key takes 800 characters. */
const most = { records: 50, values: 20, valueCharacters: 4_096 };

const givenRecord = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(255)
      .describe(
        "Fully qualified. `*.example.com` applies to names that have no records, unless their DNS responses were recorded.",
      ),
    type: z.enum(changeableTypes),
    values: z
      .array(z.string().max(most.valueCharacters))
      .max(most.values)
      .describe(
        "All records of this type at the name, each as in a zone file (`10 mx.example.com`). Quotation marks around text values are optional. An empty list removes them.",
      ),
  })
  .meta({ id: "GivenRecords" });

export const givenRecords = z
  .strictObject({ records: z.array(givenRecord).min(1).max(most.records) })
  .meta({ examples: [{ records: [{ name: "_dmarc.example.com", type: "TXT", values: ["v=DMARC1; p=reject"] }] }] });

export const askWhatIf = defineEndpoint({
  method: "POST",
  path: "/api/tests/:id/what-if",
  token: "read",
  labelToken: "path",
  summary:
    "Previews the report of a test with these DNS records. Everything else is taken from the recorded DNS responses. Names that were not recorded are looked up now. Placement is always predicted, because mailboxes saw the message with the old records. Nothing is stored.",
  body: givenRecords,
  answer: testReport,
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
