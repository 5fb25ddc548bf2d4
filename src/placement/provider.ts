// The provider profiles that predictions use, and the result of a prediction.

import type { FindingId, Gate } from "../checks/check.ts";
import type { Shift } from "./shifts.ts";

export const providers = ["gmail", "outlook", "yahoo", "icloud", "generic"] as const;
export type Provider = (typeof providers)[number];

export const predictedFolders = ["inbox", "promotions", "spam", "rejected"] as const;
export type Folder = (typeof predictedFolders)[number];

export type Profile = {
  readonly id: Provider;
  /** As used at the start of a sentence. */
  readonly name: string;
  /** The provider name in gates of findings. */
  readonly gate: Gate["provider"];
  /** Whom its rules for bulk senders bind; completes "… rejects such mail". */
  readonly ifBulk: string;
  /** Its inbox has tabs that depend on the message. */
  readonly hasTabs: boolean;
  /** The highest possible confidence with all facts known, because the provider's own data is unknown to us. */
  readonly ceiling: number;
  /** Deciding factors that no message shows. */
  readonly hidden: string;
};

export type Reason = {
  readonly text: string;
  /** Natural log-odds of spam, or of Promotions against Primary. Null: it decides alone. 0: it only explains. */
  readonly points: number | null;
  readonly finding: FindingId | null;
  /** What would change it. */
  readonly change: string | null;
};

export type Prediction = {
  readonly provider: Provider;
  readonly folder: Folder;
  /** Per folder; they add up to 1. */
  readonly odds: Readonly<Record<Folder, number>>;
  /** The provider's SMTP reply if it rejects the message. */
  readonly smtpReply: string | null;
  /** From 0 to 1. Each unknown fact lowers it. */
  readonly confidence: number;
  /** The most important first. */
  readonly reasons: readonly Reason[];
  /** The shift that a user set, already included in the odds; left out if there is none. */
  readonly shift?: Shift;
  /** Only if the volume is unknown and a bulk sender's message would go elsewhere. */
  readonly ifLarge?: IfLarge;
};

/** The result of the rules for bulk senders, if different. */
export type IfLarge = Pick<Prediction, "folder" | "odds" | "smtpReply"> & {
  /** Only the rules. */
  readonly reasons: readonly Reason[];
};

/** Predictions by one version of the weights. */
export type Placement = {
  readonly version: string;
  /** One per provider. */
  readonly predictions: readonly Prediction[];
};
