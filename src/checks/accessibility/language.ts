// What language a text looks like: by its script, and for Latin letters by its little words. It answers only when the
// answer is plain, because a false "this is not English" is worse than none.

import { scriptLanguages, smallWords } from "./language-table.ts";

export type Guess = {
  /** A language tag. */
  readonly tag: string;
  readonly isRightToLeft: boolean;
  /** Tags of languages that look the same. */
  readonly alike: readonly string[];
};

/** Enough to tell; the rest of a long text says the same. */
const sampleLength = 6_000;
const fewestLetters = 40;
const plainShare = 0.6;
const fewestWords = 10;
const plainWordShare = 0.06;
const clearlyMore = 2;

/** Null when the text is too short or too mixed to tell. */
export function guessLanguage(text: string): Guess | null {
  const sample = text.slice(0, sampleLength);
  const letters = countLetters(sample);
  if (letters < fewestLetters) return null;
  if (isPlainlyLatin(sample, letters)) return guessByWords(sample);
  const script = scriptLanguages.find(({ letter }) => countOf(sample, letter) > letters * plainShare);
  return script
    ? { tag: script.alike[0] ?? "", isRightToLeft: script.isRightToLeft, alike: script.alike }
    : null;
}

/** Most letters are of a script that runs right to left. */
export function runsRightToLeft(text: string): boolean {
  if (!/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text)) return false;
  const sample = text.slice(0, sampleLength);
  const rightToLeft = scriptLanguages.filter(({ isRightToLeft }) => isRightToLeft);
  const count = rightToLeft.reduce((sum, { letter }) => sum + countOf(sample, letter), 0);
  return count > countLetters(sample) / 2;
}

/** A declared language that the guess contradicts: both are known here, and they never look alike. */
export function contradicts({ tag, alike }: Guess, declared: string): boolean {
  const [language = "", ...subtags] = declared.toLowerCase().split(/[-_]/);
  // A script of its own (sr-Latn) says more than we can tell.
  if (subtags.some((subtag) => subtag.length === 4) || !knownLanguages.has(language)) return false;
  return language !== tag && !alike.includes(language);
}

const knownLanguages = new Set([
  ...scriptLanguages.flatMap(({ alike }) => alike),
  ...smallWords.flatMap(({ alike }) => alike),
]);

function guessByWords(sample: string): Guess | null {
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counted = smallWords
    .map(({ alike, words: small }) => ({ alike, count: words.filter((word) => small.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = counted;
  if (!first || first.count < fewestWords || first.count < words.length * plainWordShare) return null;
  if (first.count < clearlyMore * (second?.count ?? 0)) return null;
  return { tag: first.alike[0] ?? "", isRightToLeft: false, alike: first.alike };
}

function isPlainlyLatin(sample: string, letters: number): boolean {
  return countOf(sample, /\p{Script=Latin}/gu) > letters * plainShare;
}

function countLetters(text: string): number {
  return countOf(text, /\p{L}/gu);
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}
