// The words of a message → how much they raise the odds of spam. Only hash numbers of words are stored, and no word is
// quoted: hundreds of common words count a little, so any five of them would explain nothing. The effect is bounded in
// both directions, and text in other languages than English is not read.

import { guessLanguage, languageName } from "../checks/accessibility/language.ts";
import { whenNeeded } from "../checks/when-needed.ts";
import textWeights from "./text-weights.json" with { type: "json" };
import { readWords, type Words } from "./text-words.ts";

export type TextVerdict = {
  /** Natural log-odds of spam. */
  readonly points: number;
  /** The name of a language that the model doesn't know. */
  readonly unread: string | null;
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
function toRaw(sum: number, { tokens: { size } }: Words, { scale }: TextModel): number {
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
  for (const key of words.tokens) sum += weightOf(key, model);
  return toRaw(sum, words, model);
}

/** Null if there is no text, or its language is unclear. */
export function readText(subject: string, body: string): TextVerdict | null {
  const words = readWords(subject, body);
  if (words.isEnglish) return { points: weighWords(words), unread: null };
  const guess = guessLanguage(`${subject}\n${body}`);
  return guess === null || guess.tag === "en" ? null : { points: 0, unread: languageName(guess.tag) };
}

export function weighWords(words: Words, model: TextModel = ownModel()): number {
  return toHundredths(toBelieved(weighRaw(words, model)));
}

/** A hash table with open addressing. */
type TextModel = {
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
