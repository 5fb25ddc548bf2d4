// What a mailbox provider does about a finding, in words, for the app, shared pages and the terminal.

import { isRejection } from "../reports/deciding-words.ts";
import { toWholeScore } from "../reports/grade-words.ts";

type GateRule = {
  readonly provider: string;
  /** bulk: senders above the provider's volume limit. */
  readonly sender: string;
  readonly reply: string;
  readonly may?: boolean;
};

const names: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  yahoo: "Yahoo",
  outlook: "Outlook.com",
  apple: "iCloud",
  icloud: "iCloud",
  gmx: "GMX",
  other: "Another receiver",
};

/** The provider as the subject of a sentence. */
export function toActor(provider: string): string {
  return names[provider] ?? provider;
}

/** For providers that act without an SMTP reply. */
const deeds: Readonly<Record<string, string>> = {
  "spam folder": "sends it to spam",
  rejection: "rejects it",
  "no mitigation": "won't help with delivery problems",
  "no mitigation (no refusal)": "won't help with delivery problems",
  "asked for, no fixed reply": "recommends a fix",
};

/** Null for text of an SMTP reply. */
export function toDeed(reply: string): string | null {
  return deeds[reply] ?? null;
}

/**
 * Without a rule for bulk senders if the provider rejects this mail from every sender, and with one rejection for each
 * provider: it replies once.
 */
export function toActing<Gate extends GateRule>(gates: readonly Gate[]): Gate[] {
  const refusing = new Set(
    gates
      .filter(({ sender, may, reply }) => sender === "any" && may !== true && isRejection(reply))
      .map(({ provider }) => provider),
  );
  const rejected = new Set<string>();
  return gates.filter(({ sender, provider, reply, may }) => {
    if (sender !== "any" && refusing.has(provider)) return false;
    if (may === true || !isRejection(reply)) return true;
    const key = `${provider} ${sender}`;
    const isFirst = !rejected.has(key);
    rejected.add(key);
    return isFirst;
  });
}

// Why a fix comes first even if it gives no points alone: a line next to the finding, for the app and shared pages.

type Capping = {
  readonly unlocks: number | null;
  readonly cap: { readonly value: number; readonly count: number } | null;
};

/**
 * `limit`: the current cap of the score. Another cap applies once the issues before this one are fixed. Null if the
 * step has no cap.
 */
export function toCapWords({ unlocks, cap }: Capping, limit: number | null): string | null {
  if (cap === null || unlocks === null || limit === null) return null;
  const { value, count } = cap;
  const all = count === 1 ? "Fixing it" : count === 2 ? "Fixing both" : "Fixing all of them";
  if (unlocks <= value) return `Caps the score at ${toWholeScore(value)}. Another issue caps it too.`;
  if (value !== limit)
    return count === 1
      ? `Sets the next cap, at ${toWholeScore(value)}. ${all} then raises the score to ${toWholeScore(unlocks)}.`
      : `One of ${count} issues that set the next cap, at ${toWholeScore(value)}. ${all} then raises the score to ${toWholeScore(unlocks)}.`;
  return count === 1
    ? `Caps the score at ${toWholeScore(value)}. ${all} raises it to ${toWholeScore(unlocks)}.`
    : `One of ${count} issues that cap the score at ${toWholeScore(value)}. ${all} raises it to ${toWholeScore(unlocks)}.`;
}
