// Guesses the language of a text from its script, and for Latin letters from short, frequent words. Unclear texts get no
// guess, because a wrong one is worse than none.

import { mayHoldOtherLetters } from "../scripts.ts";
import { whenNeeded } from "../when-needed.ts";
import { scriptLanguages, smallWords } from "./language-table.ts";

type Guess = {
  /** A language tag. */
  readonly tag: string;
  readonly isRightToLeft: boolean;
  /** Tags of languages that look the same here. */
  readonly alike: readonly string[];
};

/** Enough for a guess; the rest of a long text would not change it. */
const sampleLength = 1_200;
const fewestLetters = 40;
const plainShare = 0.6;
const fewestWords = 10;
/** One repeated word proves nothing: "I" and "do" are Polish words too. */
const fewestDifferent = 3;
const plainWordShare = 0.06;
const clearlyMore = 2;

/** Null when the text is too short or too mixed. */
export function guessLanguage(text: string): Guess | null {
  const sample = text.slice(0, sampleLength);
  const latin = countLatin(sample);
  const letters = latin + countNotLatin(sample);
  if (letters < fewestLetters) return null;
  if (latin > letters * plainShare) return guessByWords(sample);
  const script = scriptLanguages.find(({ letter }) => countOf(sample, letter) > letters * plainShare);
  return script ? { tag: script.alike[0] ?? "", isRightToLeft: script.isRightToLeft, alike: script.alike } : null;
}

/** In English: `de` is German. */
export function languageName(tag: string): string {
  return englishNames().of(tag) ?? tag;
}

const englishNames = whenNeeded(() => new Intl.DisplayNames("en", { type: "language" }));

/** True when most letters belong to a right-to-left script. */
export function runsRightToLeft(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  if (!mayHoldOtherLetters(sample) || !/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(sample)) return false;
  const rightToLeft = scriptLanguages.filter(({ isRightToLeft }) => isRightToLeft);
  const count = rightToLeft.reduce((sum, { letter }) => sum + countOf(sample, letter), 0);
  return count > (countLatin(sample) + countNotLatin(sample)) / 2;
}

/** True when both languages are in our tables and can't be mistaken for each other. */
export function contradicts({ tag, alike }: Guess, declared: string): boolean {
  const [language = "", ...subtags] = declared.toLowerCase().split(/[-_]/);
  // A script subtag (sr-Latn) is more precise than our guess.
  if (subtags.some((subtag) => subtag.length === 4) || !knownLanguages.has(language)) return false;
  return language !== tag && !alike.includes(language);
}

const knownLanguages = new Set([
  ...scriptLanguages.flatMap(({ alike }) => alike),
  ...smallWords.flatMap(({ alike }) => alike),
]);

function guessByWords(sample: string): Guess | null {
  const words = sample.toLowerCase().match(/[a-z\u00df-\u00f6\u00f8-\u024f]+/g) ?? [];
  const little = smallWords.map((): string[] => []);
  for (const word of words) for (const row of rowsByWord.get(word) ?? []) little[row]?.push(word);
  const [first, second] = [...little.keys()].sort((one, other) => countIn(little, other) - countIn(little, one));
  const found = little[first ?? 0] ?? [];
  if (new Set(found).size < fewestDifferent) return null;
  if (found.length < fewestWords || found.length < words.length * plainWordShare) return null;
  if (found.length < clearlyMore * countIn(little, second ?? 0)) return null;
  const { alike } = smallWords[first ?? 0] ?? { alike: [] };
  return { tag: alike[0] ?? "", isRightToLeft: false, alike };
}

/** Maps a word to the rows of `smallWords` that contain it. */
const rowsByWord = new Map<string, number[]>();
for (const [row, { words }] of smallWords.entries())
  for (const word of words) rowsByWord.set(word, [...(rowsByWord.get(word) ?? []), row]);

/** Counts A–Z and À–ɏ by character code: most messages are Latin, and a regular expression is slower. */
function countLatin(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    if ((lower >= 0x61 && lower <= 0x7a) || (code >= 0xc0 && code <= 0x24f)) count++;
  }
  return count;
}

const notLatin = /(?![A-Za-z\u00c0-\u024f])\p{L}/gu;

function countNotLatin(text: string): number {
  return mayHoldOtherLetters(text) ? countOf(text, notLatin) : 0;
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

function countIn(rows: readonly (readonly string[])[], row: number): number {
  return rows[row]?.length ?? 0;
}
