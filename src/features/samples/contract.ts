// The sample gallery: prepared messages, healthy or with one problem each, judged by their own DNS zone.

import { z } from "zod";
import { severities } from "../../analyzer/checks/check.ts";
import { preparedIds } from "../../analyzer/samples/messages-table.ts";
import { defineEndpoint } from "../../platform/contract/endpoint.ts";
import { listOf } from "../../platform/contract/primitives.ts";
import { testSummary } from "../tests/contract/tests.ts";

const id = z.enum(preparedIds);

const preparedMessage = z
  .strictObject({
    id,
    title: z.string(),
    says: z.string().describe("A sentence that says what is wrong with it."),
    finding: z.string().nullable().describe("The first finding in its report. `null` if it is healthy."),
    severity: z.enum(severities).nullable().describe("Severity of that finding."),
    issues: z.int().describe("Number of issues in its report."),
    test: testSummary.nullable().describe("The newest existing test of this sample."),
  })
  .meta({ id: "PreparedMessage" });
export type PreparedMessage = z.infer<typeof preparedMessage>;

const path = "/api/laboratory";

export const readLaboratory = defineEndpoint({
  method: "GET",
  path,
  token: "read",
  summary: "Lists the prepared messages, each with its test if it was sent.",
  answer: listOf(preparedMessage),
});

export const sendPrepared = defineEndpoint({
  method: "POST",
  path,
  token: "write",
  summary:
    "Sends prepared messages to the workspace's seed address over SMTP, through this server's own listener. Their tests are samples, which do not count toward statistics or plans and do not trigger alerts. The sender's address and DNS responses are simulated, so no external lookups are made.",
  body: z
    .strictObject({ ids: z.array(id).min(1).optional().describe("Defaults to all.") })
    .meta({ examples: [{}, { ids: ["newsletter", "unsigned"] }] }),
  answer: z
    .strictObject({ sent: z.int().describe("Number of messages that the listener accepted.") })
    .meta({ examples: [{ sent: 2 }] }),
  status: 202,
  errors: ["plan_limit", "conflict", "send_failed", "overloaded", "not_found"],
});

export const removeSamples = defineEndpoint({
  method: "DELETE",
  path,
  token: "write",
  summary: "Removes all sample gallery tests from the workspace.",
  answer: z.strictObject({ deleted: z.int() }).meta({ examples: [{ deleted: 14 }] }),
});
