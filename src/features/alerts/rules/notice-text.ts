// Text from messages as a chat message shows it: on one line, without characters that move, reverse or hide text. These are
// removed and not shown as escapes as in a log, because half of all subjects have an emoji with a variation selector. The
// linked report has the full text.

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** More marks on one letter than any language uses. They would cover the lines above. */
const piledMarks = /(?<=\p{M}{3})\p{M}/gu;

/** Longer text is cut first, and the rest is ignored. */
const longest = 20_000;

/** At most `most` characters, and at least one. */
function toShown(text: string, most: number): string {
  const clean = text.slice(0, longest).replace(breaks, " ").replace(unseen, "").replace(piledMarks, "").trim();
  return clean === "" ? "(empty)" : toCut(clean, most);
}

/** Does not split a surrogate pair. */
export function toCut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export const titleLength = 150;
export const sentenceLength = 300;
/** Long enough for a DKIM key of 4,096 bits. */
const quoteLength = 1_000;
/** Part of a title or sentence. */
const nameLength = 80;

export function toName(text: string): string {
  return toShown(text, nameLength);
}

export function toSentence(text: string): string {
  return toShown(text, sentenceLength);
}

export function toQuote(label: string, text: string) {
  return { label, text: toShown(text, quoteLength) };
}

/** As in "2026-11-21 06:19 UTC". */
export function toTime(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace("T", " ")} UTC`;
}
