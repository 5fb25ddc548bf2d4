// How many messages a workspace sends to any one mailbox provider: some of their rules bind only senders of many.

/** small: fewer than 5,000 a day. */
export const volumes = ["small", "large"] as const;

/** Null: not known. */
export type Volume = (typeof volumes)[number] | null;

/** What an owner may answer. */
export const volumeAnswers = [...volumes, "unsure"] as const;

/** Null: nobody was asked yet. */
export type VolumeAnswer = (typeof volumeAnswers)[number] | null;

export function toVolume(answer: VolumeAnswer): Volume {
  return answer === "unsure" ? null : answer;
}

export const volumeWords: Readonly<Record<NonNullable<Volume>, string>> = {
  small: "fewer than 5,000 messages a day to any one mailbox provider",
  large: "5,000 or more messages a day to a mailbox provider",
};
