// Where the message went or would go, one row per provider. Each row says how it is known, so a prediction can't be
// mistaken for an observation. An observation replaces the prediction.

import { z } from "zod";
import { type Placement, type Prediction, predictedFolders, providers } from "../../../analyzer/placement/provider.ts";
import {
  type AwaitedMailbox,
  type Observation,
  type SeenInMailboxes,
  toMajority,
  toObservedWords,
} from "../../../analyzer/reports/observation.ts";
import { comparedMechanisms, type OurWords, toDifferences } from "../../../analyzer/reports/receiver-verdicts.ts";
import { matches, observedFolders } from "../../../analyzer/reports/sighting.ts";
import { timestamp, toTimestamp } from "../../../platform/contract/primitives.ts";

// The folder where a seed mailbox has the message, and what its server says about it.

const place = {
  folder: z.enum(observedFolders),
  folder_name: z.string().describe("The folder's name, or Gmail's category."),
  seen_at: timestamp.describe("When Assay first saw it there."),
};

const difference = z.strictObject({ mechanism: z.enum(comparedMechanisms), ours: z.string(), theirs: z.string() });

const observedMailbox = z
  .strictObject({
    account: z.string(),
    folder: z
      .enum([...observedFolders, "pending", "missing"])
      .describe("`pending`: not seen yet. `missing`: not seen within an hour. Neither counts toward the rates."),
    folder_name: place.folder_name.nullable(),
    seen_at: place.seen_at.nullable(),
    delay_ms: z
      .number()
      .nullable()
      .describe(
        "Time from Assay's receipt to the mailbox's. Most servers report whole seconds, so it can be negative.",
      ),
    matched_by: z.enum(matches).nullable().describe("How the message was matched to this test."),
    candidates: z
      .int()
      .nullable()
      .describe("Number of tests that matched equally well. The one closest in time was chosen."),
    moved: z.array(z.strictObject(place)).describe("Where it was before, oldest first."),
    authentication_results: z.array(z.string()).describe("As written by the receiver, topmost first."),
    headers: z
      .array(z.strictObject({ name: z.string(), value: z.string() }))
      .describe("Other headers that the receiver added."),
    differs: z.array(difference).describe("Where the receiver's results differ from Assay's."),
  })
  .meta({ id: "ObservedMailbox" });

type ObservedMailbox = z.infer<typeof observedMailbox>;

/** With its differences in plain sentences. */
function toObservedMailbox(
  seen: Observation,
  ours: OurWords,
): { readonly mailbox: ObservedMailbox; readonly says: readonly string[] } {
  const { candidates, moves, authenticationResults, headers } = seen.evidence;
  const differs = toDifferences(ours, authenticationResults);
  const mailbox = {
    account: seen.account,
    ...toPlace(seen),
    delay_ms: seen.delayMs,
    matched_by: seen.matchedBy,
    candidates,
    moved: moves.map(toPlace),
    authentication_results: [...authenticationResults],
    headers: headers.map(({ name, value }) => ({ name, value })),
    differs: [...differs],
  };
  return { mailbox, says: toObservedWords(seen, differs) };
}

function toPlace({ folder, folderName, seenAt }: Pick<Observation, "folder" | "folderName" | "seenAt">) {
  return { folder, folder_name: folderName, seen_at: toTimestamp(seenAt) };
}

function toAwaitedMailbox({ account, state }: AwaitedMailbox): ObservedMailbox {
  const unknown = { folder_name: null, seen_at: null, delay_ms: null, matched_by: null, candidates: null };
  const nothing = { moved: [], authentication_results: [], headers: [], differs: [] };
  return { account, folder: state, ...unknown, ...nothing };
}

const folder = z.enum(predictedFolders);

const reason = z.strictObject({
  text: z.string(),
  points: z
    .number()
    .nullable()
    .describe(
      "Natural log odds of spam, or of the named tab. Values above 0 make it more likely. `null`: this reason alone decides. `0`: explanation only.",
    ),
  finding: z.string().nullable().describe("The finding behind this reason."),
  change: z.string().nullable().describe("What would change it."),
});

const odds = z.strictObject({ inbox: z.number(), promotions: z.number(), spam: z.number(), rejected: z.number() });

const ifLarge = z
  .strictObject({ folder, odds, smtp_reply: z.string().nullable(), reasons: z.array(reason) })
  .describe(
    "The effect of the provider's rules for bulk senders (Gmail and Outlook.com: 5,000 messages a day) if the workspace has not set its sending volume and the folder would differ. Otherwise `null`.",
  );

const predicted = z
  .strictObject({
    folder,
    odds,
    confidence: z.number(),
    reasons: z.array(reason).describe("Strongest reasons first."),
    smtp_reply: z.string().nullable(),
    if_large: ifLarge.nullable(),
    weights: z.string().describe("Version of the weights."),
  })
  .describe("The model's prediction, even if the message has been observed since.");

const placementResult = z
  .strictObject({
    provider: z
      .string()
      .describe(`${providers.join(", ")}; or \`imap:<account>\`, a seed mailbox that represents none of them.`),
    folder: z
      .enum([...predictedFolders, "pending", "missing"])
      .describe(
        "`rejected`: the provider would reject the message. Counted as spam in the rates. `pending` and `missing` occur only for `imap:<account>` and do not count toward the rates. `pending`: not seen yet. `missing`: not seen within an hour.",
      ),
    method: z
      .enum(["predicted", "observed"])
      .describe(
        "`predicted`: inferred from published rules and the message, not observed. `observed`: as seen in seed mailboxes. With several mailboxes, the most frequent folder wins. In a tie, the worse one wins.",
      ),
    confidence: z
      .number()
      .describe(
        "How reliable the folder is, from 0 to 1. Predicted: the odds of the folder, times the share of the evidence that is known. The same as `predicted.confidence`. Observed: the share of mailboxes that have the message in this folder. 0 if none of them has it.",
      ),
    reasons: z.array(reason),
    smtp_reply: z.string().nullable().describe("The expected SMTP reply if it is rejected. Otherwise `null`."),
    predicted: predicted.nullable(),
    observed: z
      .array(observedMailbox)
      .describe("This provider's seed mailboxes. Those that have the message come first."),
  })
  .meta({ id: "PlacementResult" });

export const placementResults = z.array(placementResult);

export const rate = z
  .number()
  .nullable()
  .describe("Share of placements. Predictions between inbox and spam count as neither. `null` without placements.");
export const placementRates = { inbox_rate: rate, spam_rate: rate, promo_rate: rate };

type Result = z.infer<typeof placementResult>;

/** `ours`: Assay's own results, to compare a receiver's results with. */
export function toPlacementResults(
  placement: Placement | null,
  seen: SeenInMailboxes,
  ours: OurWords,
): Result[] | null {
  if (placement === null) return null;
  const { predictions, version } = placement;
  const mailboxes = [...seen.observations, ...seen.awaited].map(({ provider }) => provider);
  const others = new Set(mailboxes.filter((name) => predictions.every(({ provider }) => provider !== name)));
  return [
    ...predictions.map((one) => toResult(one.provider, toPredicted(one, version), seen, ours)),
    ...[...others].sort().map((provider) => toResult(provider, null, seen, ours)),
  ];
}

function toResult(provider: string, predicted: Result["predicted"], seen: SeenInMailboxes, ours: OurWords): Result {
  const shown = seen.observations
    .filter((one) => one.provider === provider)
    .map((one) => ({ folder: one.folder, ...toObservedMailbox(one, ours) }));
  const awaited = seen.awaited.filter((one) => one.provider === provider);
  const observed = [...shown.map(({ mailbox }) => mailbox), ...awaited.map(toAwaitedMailbox)];
  const majority = toMajority(shown.map(({ folder }) => folder));
  const row = { provider, predicted, observed };
  if (majority) {
    const reasons = shown.flatMap(({ says }) => says).map(toPlainReason);
    const { folder, share } = majority;
    return { ...row, folder, method: "observed", confidence: share, reasons, smtp_reply: null };
  }
  if (predicted) {
    const { folder, confidence, reasons, smtp_reply } = predicted;
    return { ...row, folder, method: "predicted", confidence, reasons, smtp_reply };
  }
  const isMissing = awaited.every(({ state }) => state === "missing");
  const text = isMissing ? "Not seen within an hour." : "Not seen yet.";
  const folder = isMissing ? ("missing" as const) : ("pending" as const);
  return { ...row, folder, method: "observed", confidence: 0, reasons: [toPlainReason(text)], smtp_reply: null };
}

function toPlainReason(text: string): z.infer<typeof reason> {
  return { text, points: 0, finding: null, change: null };
}

function toPredicted(prediction: Prediction, weights: string): NonNullable<Result["predicted"]> {
  const { folder, odds, confidence, smtpReply: smtp_reply } = prediction;
  const reasons = prediction.reasons.map((one) => ({ ...one }));
  const if_large = prediction.ifLarge ? toIfLarge(prediction.ifLarge) : null;
  return { folder, odds: { ...odds }, confidence, reasons, smtp_reply, if_large, weights };
}

function toIfLarge({ folder, odds, smtpReply: smtp_reply, reasons }: NonNullable<Prediction["ifLarge"]>) {
  return { folder, odds: { ...odds }, smtp_reply, reasons: reasons.map((one) => ({ ...one })) };
}
