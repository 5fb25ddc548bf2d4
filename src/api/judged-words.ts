// By which moment a message without a session was judged, in one sentence.

import type { JudgedTime } from "../mail/judged-time.ts";

export function toJudgedWords(at: number | string, from: JudgedTime["from"] | null): string | null {
  if (from !== "said" && from !== "received" && from !== "unusable") return null;
  const day = new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return `Judged as of ${day}, ${sources[from]}.`;
}

const sources = {
  said: "the time you gave",
  received: "the date of its newest Received header",
  unusable: "when it was uploaded or analyzed: its newest Received header has no usable date",
};
