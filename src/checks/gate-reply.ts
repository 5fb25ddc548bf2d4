// What a gate's reply comes to for a message.

import type { Gate } from "./check.ts";

export type Consequence =
  /** The message is not taken, at once or after a first "try again". */
  | "refusal"
  /** It has to be sent again. */
  | "deferral"
  | "junk"
  /** A right is lost, or nothing is fixed. */
  | "none";

export function consequenceOf({ reply }: Pick<Gate, "reply">): Consequence {
  if (/\b5\d\d\b|\bthen refusal\b|^rejection$/.test(reply)) return "refusal";
  if (/^4\d\d\b/.test(reply)) return "deferral";
  return reply === "spam folder" ? "junk" : "none";
}
