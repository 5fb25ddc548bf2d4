// How much a workspace sends, and whom the rules for senders of many messages bind, in plain words.

import type { Volume, VolumeAnswer } from "../checks/volume.ts";
import { publishesVolume } from "./provider-words.ts";

export type { VolumeAnswer };

/** Whom a provider's rules for senders of many messages bind. */
export function toReach(provider: string): string {
  return publishesVolume(provider) ? "if you send 5,000+ a day" : "if you send many messages";
}

/** Of a report: for whom its one prediction holds. */
export function toVolumeBasis(volume: NonNullable<Volume>): string {
  return volume === "small"
    ? "For a sender of fewer than 5,000 messages a day to any one provider: rules for bulk senders don’t count."
    : "For a sender of 5,000 or more messages a day to a provider: rules for bulk senders count in full.";
}
