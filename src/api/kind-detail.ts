// What kind of message a test is taken for, why, and what its score would be as another kind.

import { z } from "zod";
import { isUnsure, kinds, weighedKinds } from "../checks/kind.ts";
import { toGrade } from "../reports/grade-words.ts";
import type { Alternative, Judgment } from "../reports/judgment.ts";

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
