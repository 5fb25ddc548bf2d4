// What a gate's reply comes to for a message.

import type { Gate } from "./check.ts";

type Consequence =
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

// Mailbox providers as people call them.

const providerNames: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  yahoo: "Yahoo and AOL",
  outlook: "Outlook.com",
  apple: "Apple",
  icloud: "Apple (iCloud)",
  gmx: "GMX and WEB.DE",
  other: "Others",
};

export function toProviderName(provider: string): string {
  return providerNames[provider] ?? provider;
}
