// What a gate's reply means for a message.

import type { Gate } from "./check.ts";

type Consequence =
  /** The message is rejected, at once or after an initial deferral. */
  | "refusal"
  /** The message has to be sent again. */
  | "deferral"
  | "junk"
  /** No fixed consequence, or only lost support. */
  | "none";

export function consequenceOf({ reply }: Pick<Gate, "reply">): Consequence {
  if (/\b5\d\d\b|\bthen refusal\b|^rejection$/.test(reply)) return "refusal";
  if (/^4\d\d\b/.test(reply)) return "deferral";
  return reply === "spam folder" ? "junk" : "none";
}

// Names of mailbox providers in sentences.

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
