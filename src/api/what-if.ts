// The report that a test would have with other records in DNS.

import { z } from "zod";
import { changeableTypes } from "../dns/given-records.ts";
import { defineEndpoint } from "./endpoint.ts";
import { idParams } from "./primitives.ts";
import { testReport } from "./tests.ts";

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
