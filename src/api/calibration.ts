// How good predictions were: compared with what seed mailboxes showed (src/decisions.md, "Seed mailboxes").

import { z } from "zod";
import { needed, reliabilityBins } from "../placement/calibration.ts";
import { providers } from "../placement/provider.ts";
import { maxShift } from "../placement/shifts.ts";
import { defineEndpoint } from "./endpoint.ts";
import { timestamp } from "./primitives.ts";

const share = z.number().min(0).max(1);
const unlessFew = `Null below ${needed} observations.`;

const seen = z.strictObject({ inbox: z.int(), promotions: z.int(), spam: z.int() });

const brier = (most: number) =>
  z.strictObject({
    value: z.number().min(0).max(most),
    baseRate: z
      .number()
      .min(0)
      .max(most)
      .describe(
        "Of always predicting how often each was seen: a value that is not below it is worth nothing.",
      ),
  });

const figures = {
  observations: z
    .int()
    .describe(
      "Of messages of which something was predicted, once for each seed mailbox that shows one: the newest 2,000.",
    ),
  confusion: z
    .strictObject({ inbox: seen, promotions: seen, spam: seen, rejected: seen })
    .nullable()
    .describe(`As each was predicted: how often it was seen where. ${unlessFew}`),
  hitRate: z
    .strictObject({ value: share, low: share, high: share })
    .nullable()
    .describe(
      `Share whose folder was predicted, with Wilson's interval for 95%. A predicted refusal of a message that was seen counts as spam. ${unlessFew}`,
    ),
  brier: z
    .strictObject({ folders: brier(2), spam: brier(1) })
    .nullable()
    .describe(
      `Brier scores, the lower the better: over inbox, promotions and spam, and of spam alone. ${unlessFew}`,
    ),
  reliability: z
    .array(
      z.strictObject({
        from: share,
        to: share,
        count: z.int(),
        predicted: share.nullable().describe(`Mean of the predicted odds of spam. ${unlessFew}`),
        observed: share.nullable().describe(`Share that was seen in spam. ${unlessFew}`),
      }),
    )
    .length(reliabilityBins)
    .nullable()
    .describe(`By the predicted odds of spam: where both are alike, the odds can be believed. ${unlessFew}`),
};

const shiftValue = z
  .number()
  .min(-maxShift)
  .max(maxShift)
  .describe("Natural log-odds of spam, in hundredths: above 0 makes spam likelier.");

const shift = z
  .strictObject({
    value: shiftValue,
    observations: z.int().describe("That there were when it was set."),
    setAt: timestamp,
    setBy: z.string().nullable().describe("The user who set it; null: the server's operator."),
  })
  .meta({ id: "PlacementShift" });
export type PlacementShift = z.infer<typeof shift>;

const suggested = z
  .strictObject({
    shift: shiftValue.describe("Counted from the published weights, whatever is in force."),
    observations: z.int().describe("That it comes of: those predicted with today's weights."),
    brier: z
      .strictObject({ before: share, after: share })
      .describe(
        "Of spam among what was not refused: with what is in force, and where each message is predicted with the shift that all others suggest.",
      ),
  })
  .nullable();

const calibration = z
  .strictObject({
    provider: z.enum(providers),
    needed: z.int().describe("Observations that each figure takes."),
    ...figures,
    months: z
      .array(z.strictObject({ month: z.string().meta({ examples: ["2026-11"] }), ...figures }))
      .describe("By the month in which each was seen (UTC), the newest first, at most 24."),
    suggested: suggested.describe(
      "A shift that would have predicted spam better. It is never set by itself.",
    ),
    notSuggested: z.string().nullable().describe("Why nothing is suggested, for people."),
    shift: shift.nullable().describe("What is in force; null: the published weights."),
  })
  .meta({ id: "Calibration" });

const providerParams = z.strictObject({
  provider: z.string().describe(`One of ${providers.join(", ")}.`),
});

export const readCalibration = defineEndpoint({
  method: "GET",
  path: "/api/calibration",
  access: "member",
  summary:
    "How good the predictions of placement were in this workspace, by provider: held against what its seed mailboxes showed.",
  answer: z.strictObject({ providers: z.array(calibration) }),
});

export const setShift = defineEndpoint({
  method: "PUT",
  path: "/api/calibration/:provider",
  access: "owner",
  summary: `Shifts the odds of spam at a provider in all later predictions of this workspace. It takes ${needed} observations; published rules are not shifted.`,
  params: providerParams,
  body: z.strictObject({ shift: shiftValue }).meta({ examples: [{ shift: 0.4 }] }),
  answer: shift,
  errors: ["conflict"],
});

export const deleteShift = defineEndpoint({
  method: "DELETE",
  path: "/api/calibration/:provider",
  access: "owner",
  summary: "Takes the shift back: later predictions are by the published weights.",
  params: providerParams,
  answer: null,
});
