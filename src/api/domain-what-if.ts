// What other records in DNS would change for a domain and its mail.

import { z } from "zod";
import { toldFinding } from "./comparison.ts";
import { domainJudgmentFields } from "./domain-report.ts";
import { score, verdictWord } from "./domains.ts";
import { defineEndpoint } from "./endpoint.ts";
import { placementRates } from "./placement.ts";
import { identifier, idParams, timestamp } from "./primitives.ts";
import { resultWords } from "./report.ts";
import { givenRecords } from "./what-if.ts";

const standing = z.strictObject({
  spf: verdictWord,
  dkim: verdictWord,
  dmarc: verdictWord,
  bimi: verdictWord,
  score,
});

const { findings, plan } = domainJudgmentFields;

const messageStanding = z.strictObject({ ...resultWords, ...placementRates, composite: score });

export const askDomainWhatIf = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/what-if",
  access: "member",
  summary:
    "What these records in DNS would change, with all else as recorded: for the domain, and for the newest 50 tests of its mail. What was not recorded is asked now. Nothing is stored. A domain that has not been checked yet is refused with conflict.",
  params: idParams,
  body: givenRecords,
  answer: z
    .strictObject({
      before: standing.describe("As recorded, by today's rules."),
      after: standing,
      gone: z.array(toldFinding).describe("Findings that would be no more."),
      added: z.array(toldFinding).describe("Findings that would be new."),
      findings: findings.unwrap().describe("All that would be found."),
      plan: plan.unwrap(),
      messages: z.strictObject({
        total: z.int().describe("Tests of mail with the domain in From."),
        totalIsExact: z.boolean().describe("false: there are at least `total`."),
        seen: z.int().describe("How many were looked at, the newest."),
        unclear: z.int().describe("Of how many it could not be told, as nothing fit is recorded for them."),
        leftOut: z.int().describe("How many of `total` were not looked at."),
        better: z
          .int()
          .describe("Of `seen`: with a higher score, or as good a one and better placed or verified."),
        worse: z.int(),
        otherwise: z.int().describe("Changed, neither for better nor for worse."),
        unchanged: z.int(),
        changes: z
          .array(
            z.strictObject({
              testId: identifier("test"),
              receivedAt: timestamp,
              from: z.string().nullable(),
              subject: z.string().nullable(),
              before: messageStanding,
              after: messageStanding,
              says: z.array(z.string()).describe("In plain sentences, the most telling first."),
            }),
          )
          .describe("Each that would change, newest first."),
      }),
    })
    .meta({ id: "DomainWhatIf" }),
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
