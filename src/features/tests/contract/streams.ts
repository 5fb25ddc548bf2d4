// A series of similar messages, wherever it is shown.

import { z } from "zod";
import { moveCauses } from "../../../analyzer/reports/stream.ts";
import { traitNames } from "../../../analyzer/reports/traits.ts";
import { identifier, timestamp } from "../../../platform/contract/primitives.ts";

export const marks = z
  .array(z.strictObject({ what: z.enum(traitNames), says: z.string() }))
  .describe("What changed since the test before, in plain sentences.");

const move = z.strictObject({
  testId: z.string(),
  at: timestamp.describe("When the test was analyzed."),
  score: z.number(),
  usualScore: z.number(),
  points: z.number().describe("`score` minus `usualScore`."),
  comparedWith: z.string().describe("ID of the last test with a usual score, which the causes are found with."),
  causes: z
    .array(z.strictObject({ cause: z.enum(moveCauses), points: z.number() }))
    .nullable()
    .describe(
      "Points of each cause, largest first. They add up to `points`. `variation` is how far the test compared with was from the usual score. `null` until known, or if one of the two tests was deleted.",
    ),
  changes: marks,
});

export const streamFields = {
  id: identifier("stream"),
  name: z.string(),
  fromDomain: z.string().nullable().describe("`null` if a rule forms the stream."),
  label: z.string().nullable(),
  kind: z
    .string()
    .nullable()
    .describe("The type of message, such as `bulk`, for mail without a label. `null` otherwise."),
  ruleId: z.string().nullable(),
  createdAt: timestamp,
  lastAt: timestamp.describe("When the newest test arrived."),
  lastTestId: z.string().nullable(),
  usualScore: z.number().nullable().describe("Median of the recent tests. `null` for fewer than three tests."),
  spread: z.number().nullable().describe("How far scores normally are from it, as a standard deviation."),
  lastMove: move.nullable().describe("The newest test whose score was unusual."),
};

export const stream = z.strictObject(streamFields).meta({ id: "Stream" });
export type Stream = z.infer<typeof stream>;
