// What kind of message a test is taken for, why, and what its score would be as another kind.

import { z } from "zod";
import { isUnsure, kinds, weighedKinds } from "../checks/kind.ts";
import { kindMatches } from "../checks/kind-rules.ts";
import { toGrade } from "../reports/grade-words.ts";
import type { Alternative, Judgment } from "../reports/judgment.ts";
import { defineEndpoint } from "./endpoint.ts";
import { identifier, idParams, listOf, timestamp } from "./primitives.ts";

const kindReason = z.strictObject({
  text: z.string(),
  points: z
    .number()
    .nullable()
    .describe("How much it counts; below zero it counts against the kind. Null in reports from before."),
  kind: z.enum(kinds).describe("The kind that the points count for."),
});

const kindAlternative = z.strictObject({
  kind: z.enum(weighedKinds),
  composite: z.number().nullable(),
  grade: z.enum(["A", "B", "C", "D", "F"]).nullable(),
});

export const kindDetail = z.strictObject({
  reasons: z.array(kindReason).describe("What counts most comes first."),
  source: z
    .enum(["inferred", "person", "rule"])
    .describe("person: set for this message. rule: a kind rule of the workspace matched."),
  confidence: z.number().nullable().describe("From 0 to 1. Null in reports from before it was known."),
  low_confidence: z
    .boolean()
    .describe("Ask a person: the kind is inferred from weak or conflicting evidence."),
  scored_as: z
    .enum(kinds)
    .describe(
      "Differs from the kind where only an unsubscribe link or header decides it. Findings of checks that apply only because of it then cost nothing.",
    ),
  scores: z
    .strictObject({ bulk: z.number(), transactional: z.number(), personal: z.number() })
    .nullable()
    .describe("The points of each kind. Null where nothing had to be weighed."),
  alternatives: z
    .array(kindAlternative)
    .describe("The score under other kinds, where the confidence is low; otherwise empty."),
  overridden: z.boolean().describe("A person said so."),
  mailing_list: z.boolean(),
  forwarded: z.boolean().nullable().describe("Null: not known."),
  sent_by: z.string().nullable().describe("The service that sent it for its author."),
});

function toAlternative({ kind, composite, coverage }: Alternative): z.infer<typeof kindAlternative> {
  return { kind, composite, grade: toGrade({ composite, coverage }) };
}

export function toKindDetail({
  kind,
  alternatives,
}: Pick<Judgment, "kind" | "alternatives">): z.infer<typeof kindDetail> | null {
  if (kind === null) return null;
  const { reasons, overridden, mailingList, forwarded, esp, source, confidence, scoredAs, scores } = kind;
  return {
    reasons: reasons.map((one) => ({ ...one })),
    source,
    confidence,
    low_confidence: isUnsure(kind),
    scored_as: scoredAs,
    scores: scores && { ...scores },
    alternatives: alternatives.map(toAlternative),
    overridden,
    mailing_list: mailingList,
    forwarded: forwarded.known ? forwarded.value.is : null,
    sent_by: esp?.name ?? null,
  };
}

// Which kind of message a sender or a label stands for: it goes before what is inferred.

const match = z
  .enum(kindMatches)
  .describe(
    "from: the address in From. from-domain: its domain and all below it. label: what follows the plus in the seed address.",
  );

export const kindRule = z
  .strictObject({
    id: identifier("kindRule"),
    match,
    value: z.string().describe("In lower case; domains in A-labels."),
    kind: z.enum(kinds),
    createdAt: timestamp,
  })
  .meta({ id: "KindRule" });
export type KindRule = z.infer<typeof kindRule>;

export const listKindRules = defineEndpoint({
  method: "GET",
  path: "/api/kind-rules",
  access: "member",
  summary: "The workspace's rules for the kind of messages, oldest first.",
  answer: listOf(kindRule),
});

export const createKindRule = defineEndpoint({
  method: "POST",
  path: "/api/kind-rules",
  access: "member",
  summary:
    "Remembers the kind of a sender's or label's messages. It holds for analyses from now on, and replaces the rule for the same sender or label. A kind set for one message goes before it; an address goes before a domain, and a domain before a label.",
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
  access: "member",
  summary: "Deletes a kind rule. Reports made with it stay as they are.",
  params: idParams,
  answer: null,
});
