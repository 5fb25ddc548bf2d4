// The words of a message → how much they raise the odds of spam. Only hash numbers of words are stored. Reasons quote
// words from the message. The effect is bounded in both directions, and text in other languages than English has none.

import { ownWordsOf } from "../checks/content/own-words.ts";
import { unknown } from "../checks/fact.ts";
import type { KnownFacts } from "../checks/facts.ts";
import { whenNeeded } from "../checks/when-needed.ts";
import { toVisibleCut } from "../visible-text.ts";
import textWeights from "./text-weights.json" with { type: "json" };
import { functionKeys, habits, readWords, type TextRange, type Words } from "./text-words.ts";

export type TextVerdict = {
  /** Natural log-odds of spam. */
  readonly points: number;
  /** The words behind it, heaviest first. */
  readonly words: readonly string[];
};

/** Words alone never decide for spam, and never offset much. */
export const textBounds = { most: 2.8, least: -1.2 } as const;
/** Shorter texts count as if they had this many words and pairs. */
export const leastSize = 60;
/**
 * The log-odds at which half of the bound is reached. The model learned from old mail, so small values count little.
 */
const halfway = 3;

/** How much of the model's log-odds counts: less for small values, and never more than the bounds. */
export function toBelieved(raw: number): number {
  const share = raw ** 2 / (raw ** 2 + halfway ** 2);
  return share * (raw < 0 ? textBounds.least : textBounds.most);
}

/** Scaled by the length of the text, because a long text has more of everything without being more certain. */
function toRaw(sum: number, { size }: Words, { scale }: TextModel): number {
  return (sum * scale) / Math.sqrt(Math.max(leastSize, size));
}

function weightOf(key: number, { slots, weights, mask }: TextModel): number {
  let slot = key & mask;
  while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) & mask;
  return slots[slot] === key ? (weights[slot] ?? 0) : 0;
}

/** Log-odds before the bounds; 0 for text in other languages. */
export function weighRaw(words: Words, model: TextModel): number {
  if (!words.isEnglish) return 0;
  let sum = 0;
  for (const key of words.tokens.keys()) sum += weightOf(key, model);
  return toRaw(sum, words, model);
}

const mostWords = 5;
const longestQuote = 40;

/** Null if there is no text that the model can read. */
export function readText({ message, html }: Partial<KnownFacts>): TextVerdict | null {
  if (!message?.known) return null;
  const own = ownWordsOf(message.value, html ?? unknown("off"));
  const body = own.known ? own.value : (message.value.text?.text ?? "");
  return weighWords(readWords(message.value.subject ?? "", body));
}

export function weighWords(words: Words, model: TextModel = ownModel()): TextVerdict | null {
  if (!words.isEnglish) return null;
  const found: WeightedWord[] = [];
  let sum = 0;
  for (const [key, place] of words.tokens) {
    const weight = weightOf(key, model);
    if (weight === 0) continue;
    sum += weight;
    found.push({ place, weight, key });
  }
  const points = toHundredths(toBelieved(toRaw(sum, words, model)));
  const sign = Math.sign(points);
  const telling = found
    .filter(({ weight, key }) => weight * sign > 0 && !functionKeys.has(key))
    .sort((left, right) => Math.abs(right.weight) - Math.abs(left.weight) || left.key - right.key)
    .slice(0, mostWords);
  return { points, words: [...new Set(telling.map(toQuote))] };
}

type WeightedWord = { readonly place: TextRange; readonly weight: number; readonly key: number };

function toQuote({ place: { text, start, end }, key }: { readonly place: TextRange; readonly key: number }): string {
  if (key === habits.shouting) return "words in capitals";
  if (key === habits.exclaiming) return "exclamation marks";
  return `“${toVisibleCut(text.slice(start, end).toLowerCase().replaceAll(/\s/g, " "), longestQuote)}”`;
}

/** A hash table with open addressing. */
export type TextModel = {
  readonly slots: Int32Array;
  readonly weights: Int8Array;
  readonly mask: number;
  readonly scale: number;
};

const ownModel = whenNeeded(() => toModel(textWeights));

/** Decodes 3 bytes of hash and 1 byte of weight per word from base64. */
export function toModel({ packed, scale }: { readonly packed: string; readonly scale: number }): TextModel {
  const bytes = Buffer.from(packed, "base64");
  let size = 2;
  while (size < bytes.length / 2) size *= 2;
  const mask = size - 1;
  const [slots, weights] = [new Int32Array(size), new Int8Array(size)];
  for (let at = 0; at + 3 < bytes.length; at += 4) {
    const key = bytes.readUIntBE(at, 3);
    let slot = key & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = key;
    weights[slot] = bytes.readInt8(at + 3);
  }
  return { slots, weights, mask, scale };
}

/** Avoids -0. */
function toHundredths(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}
