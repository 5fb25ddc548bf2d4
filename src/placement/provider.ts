// What a provider is to the prediction, and what the prediction says.

import type { FindingId, Gate } from "../checks/check.ts";
import type { Shift } from "./shifts.ts";

export const providers = ["gmail", "outlook", "yahoo", "icloud", "generic"] as const;
export type Provider = (typeof providers)[number];

export const predictedFolders = ["inbox", "promotions", "spam", "rejected"] as const;
export type Folder = (typeof predictedFolders)[number];

export type Profile = {
  readonly id: Provider;
  /** As a sentence begins with it. */
  readonly name: string;
  /** Whose gates of findings are its own. */
  readonly gate: Gate["provider"];
  /** Whom its rules for bulk senders bind; completes "… refuses that". */
  readonly ifBulk: string;
  /** It sorts its inbox by tabs that a message can be read for. */
  readonly hasTabs: boolean;
  /** How sure a prediction can be at best, with every fact known: what it does not publish is unknown to us. */
  readonly ceiling: number;
  /** What decides there and no message shows. */
  readonly hidden: string;
};

export type Reason = {
  readonly text: string;
  /** In natural log-odds of spam, or of Promotions against Primary. Null: it decides by itself. 0: it only explains. */
  readonly points: number | null;
  readonly finding: FindingId | null;
  /** What would change it. */
  readonly change: string | null;
};

export type Prediction = {
  readonly provider: Provider;
  readonly folder: Folder;
  /** Of each folder; they sum to 1. */
  readonly odds: Readonly<Record<Folder, number>>;
  /** What the provider answers where it refuses the message. */
  readonly smtpReply: string | null;
  /** From 0 to 1: how sure the folder is, less for every fact that is not known. */
  readonly confidence: number;
  /** The most telling first. */
  readonly reasons: readonly Reason[];
  /** That a person set and that the odds have in them; left out where there is none. */
  readonly shift?: Shift;
  /** Only where the volume is not known, and a large sender's message would go elsewhere. */
  readonly ifLarge?: IfLarge;
};

/** What rules for large senders would do with it, where that is something else. */
export type IfLarge = Pick<Prediction, "folder" | "odds" | "smtpReply"> & {
  /** The rules alone. */
  readonly reasons: readonly Reason[];
};

/** Of one version of the weights. */
export type Placement = {
  readonly version: string;
  /** One a provider. */
  readonly predictions: readonly Prediction[];
};
