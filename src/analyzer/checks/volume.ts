// How many messages a workspace sends to any one mailbox provider. Some provider rules apply only to bulk senders.

/** small: fewer than 5,000 a day. */
export const volumes = ["small", "large"] as const;

/** Null: unknown. */
export type Volume = (typeof volumes)[number] | null;

/** Answers that an owner can choose. */
export const volumeAnswers = [...volumes, "unsure"] as const;

/** Null: not asked yet. */
export type VolumeAnswer = (typeof volumeAnswers)[number] | null;

export function toVolume(answer: VolumeAnswer): Volume {
  return answer === "unsure" ? null : answer;
}

export const volumeWords: Readonly<Record<NonNullable<Volume>, string>> = {
  small: "fewer than 5,000 messages a day to any one mailbox provider",
  large: "5,000 or more messages a day to a mailbox provider",
};
