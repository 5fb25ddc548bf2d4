// Words that all views of a report share: the app, share pages and saved reports.

import { toInnerTitle as toInner, whyWords } from "../checks/inner-title.ts";

/** How severe something is. */
export type Tone = "critical" | "major" | "minor" | "info" | "good" | "unknown";

export const toneWords: Readonly<Record<Tone, string>> = {
  critical: "Critical",
  major: "Major",
  minor: "Minor",
  info: "Note",
  good: "Good",
  unknown: "Not checked",
};

/** Only all is shown as 100%, and only none as 0%. */
export function toPercent(share: number): string {
  const percent = Math.round(share * 100);
  return `${share > 0 && share < 1 ? Math.min(Math.max(percent, 1), 99) : percent}%`;
}

/** In prose: "a and b"; "a, b, and c". */
export function toList(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")}${words.length > 2 ? "," : ""} ${last} ${words.at(-1)}`;
}

/** Completes "Not checked: …". */
export function toWhy(why: keyof typeof whyWords): string {
  return whyWords[why];
}

/** A title within a sentence: "no reverse DNS". */
export function toInnerTitle(title: string): string {
  return toInner(title);
}

export function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Full stops within quotes and code don't end a sentence. */
export function toFirstSentence(text: string): string {
  let open = "";
  for (const { 0: sign, index } of text.matchAll(/["`]|\.\s/g)) {
    if (sign === open) open = "";
    else if (open === "" && !sign.startsWith(".")) open = sign;
    else if (open === "") return text.slice(0, index + 1);
  }
  return text;
}
