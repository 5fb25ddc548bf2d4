// The laboratory: prepared messages, healthy and each broken in one way, judged by a DNS zone of their own.

import { z } from "zod";
import { severities } from "../checks/check.ts";
import { preparedIds } from "../laboratory/messages-table.ts";
import { defineEndpoint } from "./endpoint.ts";
import { listOf } from "./primitives.ts";
import { testSummary } from "./tests.ts";

const id = z.enum(preparedIds);

const preparedMessage = z
  .strictObject({
    id,
    title: z.string(),
    says: z.string().describe("What is wrong with it, in a sentence."),
    finding: z.string().nullable().describe("What its report shows first; null: it is healthy."),
    severity: z.enum(severities).nullable().describe("Of that finding."),
    issues: z.int().describe("How many issues its report shows."),
    test: testSummary.nullable().describe("The newest that came of it and is still there."),
  })
  .meta({ id: "PreparedMessage" });
export type PreparedMessage = z.infer<typeof preparedMessage>;

const path = "/api/laboratory";

export const readLaboratory = defineEndpoint({
  method: "GET",
  path,
  access: "member",
  summary: "The prepared messages, and what came of each that was sent.",
  answer: listOf(preparedMessage),
});

export const sendPrepared = defineEndpoint({
  method: "POST",
  path,
  access: "member",
  summary:
    "Sends prepared messages to the workspace's seed address, over SMTP to this server's own listener. Their tests are samples: no figure, alert or plan counts them. Their sender's address and DNS are assumed, and nobody is asked about them.",
  body: z
    .strictObject({ ids: z.array(id).min(1).optional().describe("All of them unless given.") })
    .meta({ examples: [{}, { ids: ["newsletter", "unsigned"] }] }),
  answer: z
    .strictObject({ sent: z.int().describe("Taken by the listener.") })
    .meta({ examples: [{ sent: 2 }] }),
  status: 202,
  errors: ["plan_limit", "conflict", "send_failed", "overloaded", "not_found"],
});

export const removeSamples = defineEndpoint({
  method: "DELETE",
  path,
  access: "member",
  summary: "Removes every test of the laboratory from the workspace.",
  answer: z.strictObject({ deleted: z.int() }).meta({ examples: [{ deleted: 14 }] }),
});
