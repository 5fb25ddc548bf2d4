// How much a workspace sends, and who the rules for bulk senders apply to, in plain words.

import type { Volume, VolumeAnswer } from "../checks/volume.ts";

export type { VolumeAnswer };

/** Who a provider's rules for bulk senders apply to. Gmail and Outlook.com publish the number. */
export function toReach(provider: string): string {
  return provider === "gmail" || provider === "outlook"
    ? "if you send 5,000+ a day"
    : "if you send many messages";
}

/** Which senders the prediction of a report applies to. */
export function toVolumeBasis(volume: NonNullable<Volume>): string {
  return volume === "small"
    ? "For senders of fewer than 5,000 messages a day to any one provider. Rules for bulk senders don’t count."
    : "For senders of 5,000 or more messages a day to a provider. Rules for bulk senders count in full.";
}
