// Prediction accuracy: predictions compared with what seed mailboxes showed (src/decisions.md, "Seed mailboxes").

import { z } from "zod";
import { needed, reliabilityBins } from "../placement/calibration.ts";
import { providers } from "../placement/provider.ts";
import { maxShift } from "../placement/shifts.ts";
import { defineEndpoint } from "./endpoint.ts";
import { timestamp } from "./primitives.ts";

const share = z.number().min(0).max(1);
const unlessFew = `\`null\` below ${needed} observations.`;

const seen = z.strictObject({ inbox: z.int(), promotions: z.int(), spam: z.int() });

const brier = (most: number) =>
  z.strictObject({
    value: z.number().min(0).max(most),
    baseRate: z
      .number()
      .min(0)
      .max(most)
      .describe(
        "Score of always predicting the observed shares. A model whose score is not lower has no value.",
      ),
  });

const figures = {
  observations: z
    .int()
    .describe(
      "Observations with a prediction, one per message and seed mailbox. Limited to the newest 2,000.",
    ),
  confusion: z
    .strictObject({ inbox: seen, promotions: seen, spam: seen, rejected: seen })
    .nullable()
    .describe(`For each predicted folder, how often each folder was observed. ${unlessFew}`),
  hitRate: z
    .strictObject({ value: share, low: share, high: share })
    .nullable()
    .describe(
      `Share of predictions with the right folder, with a 95% Wilson interval. If a message was predicted as rejected but was seen, the prediction counts as spam. ${unlessFew}`,
    ),
  brier: z
    .strictObject({ folders: brier(2), spam: brier(1) })
    .nullable()
    .describe(
      `Brier scores; lower is better. One covers inbox, promotions, and spam. The other covers spam alone. ${unlessFew}`,
    ),
  reliability: z
    .array(
      z.strictObject({
        from: share,
        to: share,
        count: z.int(),
        predicted: share.nullable().describe(`Mean predicted spam probability. ${unlessFew}`),
        observed: share.nullable().describe(`Observed share in spam. ${unlessFew}`),
      }),
    )
    .length(reliabilityBins)
    .nullable()
    .describe(
      `Grouped by predicted spam probability. Predictions are accurate where both values match. ${unlessFew}`,
    ),
};

const shiftValue = z
  .number()
  .min(-maxShift)
  .max(maxShift)
  .describe("Natural log odds of spam, in hundredths. Values above 0 make spam more likely.");

const shift = z
  .strictObject({
    value: shiftValue,
    observations: z.int().describe("Number of observations when it was set."),
    setAt: timestamp,
    setBy: z.string().nullable().describe("The user who set it. `null` for the server operator."),
  })
  .meta({ id: "PlacementShift" });
export type PlacementShift = z.infer<typeof shift>;

const suggested = z
  .strictObject({
    shift: shiftValue.describe("Relative to the published weights, regardless of the shift in use."),
    observations: z
      .int()
      .describe(
        "Number of observations it is based on. Only those predicted with the current weights count.",
      ),
    brier: z
      .strictObject({ before: share, after: share })
      .describe(
        "Spam scores for the messages that were not rejected, with the shift in use and with the shift that all other messages suggest for each one.",
      ),
  })
  .nullable();

const calibration = z
  .strictObject({
    provider: z.enum(providers),
    needed: z.int().describe("Number of observations required for each figure."),
    ...figures,
    months: z
      .array(z.strictObject({ month: z.string().meta({ examples: ["2026-11"] }), ...figures }))
      .describe("By month of observation (UTC), newest first, up to 24 months."),
    suggested: suggested.describe(
      "A shift that would have predicted spam better. It is never applied automatically.",
    ),
    notSuggested: z.string().nullable().describe("Why there is no suggestion, in words."),
    shift: shift.nullable().describe("The shift in use. `null` for the published weights."),
  })
  .meta({ id: "Calibration" });

const providerParams = z.strictObject({
  provider: z.string().describe(`One of ${providers.join(", ")}.`),
});

export const readCalibration = defineEndpoint({
  method: "GET",
  path: "/api/calibration",
  access: "member",
  token: "read",
  summary: "Returns the workspace's prediction accuracy by provider, measured against its seed mailboxes.",
  answer: z.strictObject({ providers: z.array(calibration) }),
});

export const setShift = defineEndpoint({
  method: "PUT",
  path: "/api/calibration/:provider",
  access: "owner",
  token: "admin",
  summary: `Shifts a provider's spam odds in this workspace's later predictions. Requires ${needed} observations. Published rules are not affected.`,
  params: providerParams,
  body: z.strictObject({ shift: shiftValue }).meta({ examples: [{ shift: 0.4 }] }),
  answer: shift,
  errors: ["conflict"],
});

export const deleteShift = defineEndpoint({
  method: "DELETE",
  path: "/api/calibration/:provider",
  access: "owner",
  token: "admin",
  summary: "Removes the shift. Later predictions use the published weights.",
  params: providerParams,
  answer: null,
});
