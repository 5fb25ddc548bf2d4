// The detected type of message, the reasons, and the score under other types.

import { z } from "zod";
import { isUnsure, kinds, weighedKinds } from "../../../analyzer/checks/kind.ts";
import { kindMatches } from "../../../analyzer/checks/kind-rules.ts";
import { gradeOf, type Judged } from "../../../analyzer/reports/report.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, timestamp } from "../../../platform/contract/primitives.ts";

const kindReason = z.strictObject({
  text: z.string(),
  points: z
    .number()
    .nullable()
    .describe("Weight of the reason. Negative values count against the type. `null` in older reports."),
  kind: z.enum(kinds).describe("The type that the points count for."),
});

const kindAlternative = z.strictObject({
  kind: z.enum(weighedKinds),
  composite: z.number().nullable(),
  grade: z.enum(["A", "B", "C", "D", "F"]).nullable(),
});

export const kindDetail = z.strictObject({
  reasons: z.array(kindReason).describe("Strongest reasons first."),
  source: z
    .enum(["inferred", "person", "rule"])
    .describe("`person`: set for this message. `rule`: one of the workspace's rules matched."),
  confidence: z.number().nullable().describe("From 0 to 1. `null` in older reports."),
  low_confidence: z
    .boolean()
    .describe("Whether a person should confirm the type, because it is inferred from weak or conflicting evidence."),
  scored_as: z
    .enum(kinds)
    .describe(
      "Differs from `kind` if only an unsubscribe link or header determines the type. Findings from checks that apply only for that reason then cost no points.",
    ),
  scores: z
    .strictObject({ bulk: z.number(), transactional: z.number(), personal: z.number() })
    .nullable()
    .describe("Points for each type. `null` if there was no evidence."),
  alternatives: z
    .array(kindAlternative)
    .describe("The score under other types if the confidence is low. Otherwise empty."),
  overridden: z.boolean().describe("Whether a person set it."),
  mailing_list: z.boolean(),
  forwarded: z.boolean().nullable().describe("`null` if unknown."),
  sent_by: z.string().nullable().describe("The service that sent it on the author's behalf."),
});

export function toKindDetail(report: Judged): z.infer<typeof kindDetail> | null {
  const { kind, alternatives } = report.judgment;
  if (kind === null) return null;
  const { reasons, overridden, mailingList, forwarded, esp, source, confidence, scoredAs, scores } = kind;
  return {
    reasons: reasons.map((one) => ({ ...one })),
    source,
    confidence,
    low_confidence: isUnsure(kind),
    scored_as: scoredAs,
    scores: scores && { ...scores },
    alternatives: alternatives.map((one) => ({
      kind: one.kind,
      composite: one.composite,
      grade: gradeOf(report, one),
    })),
    overridden,
    mailing_list: mailingList,
    forwarded: forwarded.known ? forwarded.value.is : null,
    sent_by: esp?.name ?? null,
  };
}

// The type of messages with a certain sender or label. It takes precedence over the inferred type.

const match = z
  .enum(kindMatches)
  .describe(
    "`from`: the address in the From header. `from-domain`: its domain and all subdomains. `label`: the text after the plus sign in the seed address.",
  );

export const kindRule = z
  .strictObject({
    id: identifier("kindRule"),
    match,
    value: z.string().describe("Lowercase. Internationalized domains in A-label form."),
    kind: z.enum(kinds),
    createdAt: timestamp,
  })
  .meta({ id: "KindRule" });
export type KindRule = z.infer<typeof kindRule>;

export const listKindRules = defineEndpoint({
  method: "GET",
  path: "/api/kind-rules",
  token: "read",
  summary: "Lists the workspace's message type rules, oldest first.",
  answer: listOf(kindRule),
});

export const createKindRule = defineEndpoint({
  method: "POST",
  path: "/api/kind-rules",
  token: "admin",
  summary:
    "Sets the message type for a sender or label in later analyses. Replaces the existing rule for the same sender or label. A type set for a single message takes precedence. An address takes precedence over a domain, and a domain over a label.",
  body: z.strictObject({ match, value: z.string().min(1).max(400), kind: z.enum(kinds) }).meta({
    examples: [
      { match: "from", value: "news@example.com", kind: "bulk" },
      { match: "label", value: "receipts", kind: "transactional" },
    ],
  }),
  answer: kindRule,
  errors: ["conflict"],
});

export const deleteKindRule = defineEndpoint({
  method: "DELETE",
  path: "/api/kind-rules/:id",
  token: "admin",
  summary: "Deletes a message type rule. Existing reports stay unchanged.",
});
