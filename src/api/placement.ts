// Where the message went or would go, one row a provider. A row says how it is known: a prediction never passes for an
// observation, and what was observed stands in place of what was predicted.

import { z } from "zod";
import { type Placement, type Prediction, predictedFolders, providers } from "../placement/provider.ts";
import { toWeightsName } from "../placement/shifts.ts";
import {
  type AwaitedMailbox,
  type Observation,
  type SeenInMailboxes,
  toMajority,
  toObservedWords,
} from "../reports/observation.ts";
import { comparedMechanisms, type OurWords, toDifferences } from "../reports/receiver-verdicts.ts";
import { matches, observedFolders } from "../reports/sighting.ts";
import { timestamp, toTimestamp } from "./primitives.ts";

// Where one seed mailbox has a test's message, and what its server says of it.

const place = {
  folder: z.enum(observedFolders),
  folder_name: z.string().describe("The folder's own name, or Gmail's category."),
  seen_at: timestamp.describe("When we saw it there first."),
};

const difference = z.strictObject({
  mechanism: z.enum(comparedMechanisms),
  ours: z.string(),
  theirs: z.string(),
});

const observedMailbox = z
  .strictObject({
    account: z.string(),
    folder: z
      .enum([...observedFolders, "pending", "missing"])
      .describe("pending: not seen yet. missing: not seen within an hour. Neither counts in the rates."),
    folder_name: place.folder_name.nullable(),
    seen_at: place.seen_at.nullable(),
    delay_ms: z
      .number()
      .nullable()
      .describe(
        "From our receipt to the mailbox's, which most servers tell in whole seconds; it may be below 0.",
      ),
    matched_by: z.enum(matches).nullable().describe("How it was known to be this test's."),
    candidates: z.int().nullable().describe("Tests that fitted as well; the nearest in time was taken."),
    moved: z.array(z.strictObject(place)).describe("Where it was before, the oldest first."),
    authentication_results: z.array(z.string()).describe("As the receiver wrote them, the topmost first."),
    headers: z
      .array(z.strictObject({ name: z.string(), value: z.string() }))
      .describe("Others of the receiver's."),
    differs: z.array(difference).describe("Where the receiver's own verdicts differ from ours."),
  })
  .meta({ id: "ObservedMailbox" });

type ObservedMailbox = z.infer<typeof observedMailbox>;

/** With what it tells in plain sentences. */
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
      "Natural log-odds of spam, or of the tab named; above 0 makes it likelier. Null: decides by itself. 0: explains.",
    ),
  finding: z.string().nullable().describe("The finding that it rests on."),
  change: z.string().nullable().describe("What would change it."),
});

const odds = z.strictObject({
  inbox: z.number(),
  promotions: z.number(),
  spam: z.number(),
  rejected: z.number(),
});

const ifLarge = z
  .strictObject({ folder, odds, smtp_reply: z.string().nullable(), reasons: z.array(reason) })
  .describe(
    "What the provider's rules for senders of many messages (Gmail and Outlook.com: 5,000 a day) would do, where the workspace has not said how much it sends and the folder would be another. Null otherwise.",
  );

const predicted = z
  .strictObject({
    folder,
    odds,
    confidence: z.number(),
    reasons: z.array(reason).describe("The most telling first."),
    smtp_reply: z.string().nullable(),
    if_large: ifLarge.nullable(),
    weights: z
      .string()
      .describe(
        "The version of the weights that it was made with, and the shift in force: `2026-11-21 gmail+0.40`.",
      ),
  })
  .describe("What our model expects of this message, also where it was observed since.");

const placementResult = z
  .strictObject({
    provider: z
      .string()
      .describe(
        `${providers.join(", ")}; or \`imap:<account>\`, a seed mailbox that stands for none of them.`,
      ),
    folder: z
      .enum([...predictedFolders, "pending", "missing"])
      .describe(
        "rejected: the provider would refuse it; counts as spam in the rates. pending, missing: only of `imap:<account>`, which has not shown it yet, or not within an hour; not counted in the rates.",
      ),
    method: z
      .enum(["predicted", "observed"])
      .describe(
        "predicted: from published rules and the message, not seen. observed: as seed mailboxes show it; of several the folder of most, of as many the worse.",
      ),
    confidence: z
      .number()
      .describe(
        "From 0 to 1: how far to trust the folder. Predicted: the odds of the folder, times the share of the facts that are known, times the most that a prediction for this provider is worth; `predicted.confidence` is the same number. Observed: the share of the mailboxes that have it there; 0 while none has it.",
      ),
    reasons: z.array(reason),
    smtp_reply: z.string().nullable().describe("To expect where it is refused; null where it is taken."),
    predicted: predicted.nullable(),
    observed: z.array(observedMailbox).describe("The seed mailboxes of this provider, seen ones first."),
  })
  .meta({ id: "PlacementResult" });

export const placementResults = z.array(placementResult);

const rate = z.number().nullable().describe("Share of the placements; null until analysed.");
export const placementRates = { inbox_rate: rate, spam_rate: rate, promo_rate: rate };

type Result = z.infer<typeof placementResult>;

/** `ours`: what our own copy of the message was found to be, for a receiver's verdicts to be held against. */
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
    ...predictions.map((one) =>
      toResult(one.provider, toPredicted(one, toWeightsName(version, one)), seen, ours),
    ),
    ...[...others].sort().map((provider) => toResult(provider, null, seen, ours)),
  ];
}

function toResult(
  provider: string,
  predicted: Result["predicted"],
  seen: SeenInMailboxes,
  ours: OurWords,
): Result {
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
  return {
    ...row,
    folder,
    method: "observed",
    confidence: 0,
    reasons: [toPlainReason(text)],
    smtp_reply: null,
  };
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
