// What happened, in the words for whoever is on call: what, from what to what, what to do. Each chat service writes it
// in its own form.

import { bounceNotice } from "./bounce-notice.ts";
import { driftNotice } from "./drift-notice.ts";
import { lowScoreNotice } from "./low-score-notice.ts";
import type { KeptEvent } from "./message.ts";

/** All but the path may hold strangers' text, on one line and bounded (shown-text.ts). */
export type ChatNotice = {
  readonly title: string;
  readonly tone: "worse" | "better" | "neutral";
  readonly says: readonly string[];
  /** Word for word: a record, a subject, a receiver's answer. */
  readonly quotes: readonly Quote[];
  readonly advice: string;
  /** What tells it from its like, for a list of several. */
  readonly short: string;
  /** Of the page in the web app. */
  readonly path: string;
};

export type Quote = { readonly label: string; readonly text: string };

export function toChatNotice({ event, thresholdScore }: KeptEvent): ChatNotice {
  if (event.type === "domain.drift") return driftNotice(event.data);
  if (event.type === "test.low_score") return lowScoreNotice(event.data, thresholdScore);
  return bounceNotice(event.data);
}
