// By which moment a message without a session was judged, in one sentence.

import type { JudgedTime } from "../mail/judged-time.ts";

export function toJudgedWords(at: number | string, from: JudgedTime["from"] | null): string | null {
  if (from !== "said" && from !== "received") return null;
  const day = new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return from === "said"
    ? `Judged as of ${day}, the time you gave.`
    : `Judged as of ${day}, the date of its newest Received header.`;
}
