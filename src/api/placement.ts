// Where the message went or would go, one row a provider. A row says how it is known: a prediction never passes for an
// observation.

import { z } from "zod";
import { type Placement, type Prediction, predictedFolders, providers } from "../placement/provider.ts";
import { toWeightsName } from "../placement/shifts.ts";

const folder = z.enum(predictedFolders);

const reason = z.strictObject({
  text: z.string(),
  points: z
    .number()
    .nullable()
    .describe(
      "Natural log-odds of spam, or of the tab named; above 0 makes it likelier. Null: decides by itself. 0: explains.",
    ),
  finding: z.string().nullable().describe("The finding that it rests on."),
  change: z.string().nullable().describe("What would change it."),
});

const predicted = z
  .strictObject({
    folder,
    odds: z.strictObject({
      inbox: z.number(),
      promotions: z.number(),
      spam: z.number(),
      rejected: z.number(),
    }),
    confidence: z.number(),
    reasons: z.array(reason).describe("The most telling first."),
    smtp_reply: z.string().nullable(),
    weights: z
      .string()
      .describe(
        "The version of the weights that it was made with, and the shift in force: `2026-11-21 gmail+0.40`.",
      ),
  })
  .describe("What our model expects of this message, also where it was observed since.");

const placementResult = z
  .strictObject({
    provider: z.enum(providers),
    folder: folder.describe("rejected: the provider would refuse it; counts as spam in the rates."),
    method: z.enum(["predicted"]).describe("predicted: from published rules and the message, not seen."),
    confidence: z
      .number()
      .describe("From 0 to 1: how sure the folder is, less for every fact that is not known."),
    reasons: z.array(reason),
    smtp_reply: z.string().nullable().describe("To expect where it is refused; null where it is taken."),
    predicted,
  })
  .meta({ id: "PlacementResult" });

export const placementResults = z.array(placementResult);

const rate = z.number().nullable().describe("Share of the placements; null until analysed.");
export const placementRates = { inbox_rate: rate, spam_rate: rate, promo_rate: rate };

export function toPlacementResults(placement: Placement | null): z.infer<typeof placementResults> | null {
  return (
    placement?.predictions.map((prediction) =>
      toResult(prediction, toWeightsName(placement.version, prediction)),
    ) ?? null
  );
}

function toResult(prediction: Prediction, weights: string): z.infer<typeof placementResult> {
  const { provider, folder, odds, confidence, smtpReply: smtp_reply } = prediction;
  const reasons = prediction.reasons.map((one) => ({ ...one }));
  const row = { folder, confidence, reasons, smtp_reply };
  return { provider, ...row, method: "predicted", predicted: { ...row, odds: { ...odds }, weights } };
}
