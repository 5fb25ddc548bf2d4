// How much a workspace sends, and who the rules for bulk senders apply to, in plain words.

import type { Volume, VolumeAnswer } from "../checks/volume.ts";
import { publishesVolume } from "./provider-words.ts";

export type { VolumeAnswer };

/** Whom a provider's rules for senders of many messages bind. */
export function toReach(provider: string): string {
  return publishesVolume(provider) ? "if you send 5,000+ a day" : "if you send many messages";
}

/** Which senders the prediction of a report applies to. */
export function toVolumeBasis(volume: NonNullable<Volume>): string {
  return volume === "small"
    ? "For senders of fewer than 5,000 messages a day to any one provider. Rules for bulk senders don’t count."
    : "For senders of 5,000 or more messages a day to a provider. Rules for bulk senders count in full.";
}
