// Words that every telling of a report has in common: the app's pages, a shared page, a report that was saved.

import { toInnerTitle as toInner } from "../checks/inner-title.ts";

/** How bad something is. */
export type Tone = "critical" | "major" | "minor" | "info" | "good" | "unknown";

export const toneWords: Readonly<Record<Tone, string>> = {
  critical: "Critical",
  major: "Major",
  minor: "Minor",
  info: "Note",
  good: "Good",
  unknown: "Not checked",
};

/** Nothing but all is shown as all, and nothing but none as none. */
export function toPercent(share: number): string {
  const percent = Math.round(share * 100);
  return `${share > 0 && share < 1 ? Math.min(Math.max(percent, 1), 99) : percent}%`;
}

/** As a person says it: "a, b and c". */
export function toList(words: readonly string[], last = "and"): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** A title within a sentence: "no reverse DNS". */
export function toInnerTitle(title: string): string {
  return toInner(title);
}

export function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
