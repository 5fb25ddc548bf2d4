// Finds the words of the kind tables in a text. One pass over the text finds all of them, because there are hundreds. Words
// of scripts without spaces are searched one by one.

import { wordWeights } from "./kind-weight-tables.ts";
import { codeNames, numberedThings, offerTerms, transactionPhrases } from "./kind-word-tables.ts";
import { whenNeeded } from "./when-needed.ts";

type WordRow = "code" | "thing" | `transaction ${string}` | `offer ${number}` | `weight ${number}`;
export type FoundWords = { readonly row: WordRow; readonly words: string; readonly end: number };

type Entry = { readonly row: WordRow; readonly words: string };

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const word = /[\p{L}\p{M}\p{N}]+|%/gu;
const ofWord = /[\p{L}\p{M}\p{N}]/u;
const letter = /[\p{L}\p{N}]/u;

type Index = {
  /** Single words, by number. */
  readonly single: ReadonlyMap<number, readonly Entry[]>;
  /** Phrases by the number of their first two words, because hundreds start with the same word ("your", "if"). */
  readonly longer: ReadonlyMap<number, readonly Entry[]>;
  /** One at the end of each number. Most words have another, and this is faster to ask than a map. */
  readonly ends: Uint8Array;
  /** Words of scripts without spaces. */
  readonly others: readonly Entry[];
};

const endMask = 0xffff;

const index = whenNeeded((): Index => {
  const entries: readonly Entry[] = [
    ...toEntries("code", codeNames),
    ...toEntries("thing", numberedThings),
    ...Object.entries(transactionPhrases).flatMap(([what, phrases]) => toEntries(`transaction ${what}`, phrases)),
    ...offerTerms.flatMap((terms, at) => toEntries(`offer ${at}`, terms)),
    ...wordWeights.flatMap(({ words }, at) => toEntries(`weight ${at}`, words)),
  ];
  const [single, longer] = [new Map<number, Entry[]>(), new Map<number, Entry[]>()];
  for (const entry of entries) {
    if (unspaced.test(entry.words)) continue;
    const [first = "", second] = entry.words.match(word) ?? [];
    const number = toNumber(first);
    if (second === undefined) add(single, number, entry);
    else add(longer, toPair(number, toNumber(second)), entry);
  }
  const ends = new Uint8Array(endMask + 1);
  for (const number of [...single.keys(), ...longer.keys()]) ends[number & endMask] = 1;
  return { single, longer, ends, others: entries.filter(({ words }) => unspaced.test(words)) };
});

function add(to: Map<number, Entry[]>, number: number, entry: Entry): void {
  to.set(number, [...(to.get(number) ?? []), entry]);
}

function toEntries(row: WordRow, phrases: readonly string[]): Entry[] {
  return phrases.map((words) => ({ row, words }));
}

/** Different words may have the same number, so a match is compared with the text. */
function toNumber(word: string): number {
  let number = 0;
  for (let at = 0; at < word.length; at++) number = withLetter(number, word.charCodeAt(at));
  return number;
}

function withLetter(number: number, code: number): number {
  return (Math.imul(number, 31) + code) & 0x3fffffff;
}

function toPair(first: number, second: number): number {
  return (Math.imul(first, 131) + second) & 0x3fffffff;
}

function noteAll(entries: readonly Entry[] | undefined, text: string, at: number, found: FoundWords[]): void {
  for (const { row, words } of entries ?? []) {
    const end = at + words.length;
    if (text.startsWith(words, at) && !letter.test(text[end] ?? "")) found.push({ row, words, end });
  }
}

/** Expects lowercase `text`. Results are in text order. */
export function findWords(text: string): FoundWords[] {
  const { others, ...byNumber } = index();
  const found = walkWords(text, byNumber);
  if (!unspaced.test(text)) return found;
  for (const { row, words } of others) {
    const start = text.indexOf(words);
    if (start >= 0) found.push({ row, words, end: start + words.length });
  }
  return found;
}

/** Goes letter by letter, because splitting with a regular expression takes six times as long. */
function walkWords(text: string, { single, longer, ends }: Omit<Index, "others">): FoundWords[] {
  const found: FoundWords[] = [];
  let numberBefore = 0;
  let startBefore = 0;
  const take = (start: number, number: number) => {
    const pair = toPair(numberBefore, number);
    if (ends[pair & endMask] === 1) noteAll(longer.get(pair), text, startBefore, found);
    if (ends[number & endMask] === 1) noteAll(single.get(number), text, start, found);
    numberBefore = number;
    startBefore = start;
  };
  let start = -1;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isOfWord(code)) {
      if (start < 0) start = at;
      number = withLetter(number, code);
      continue;
    }
    if (start >= 0) take(start, number);
    if (code === percentSign) take(at, withLetter(0, code));
    start = -1;
    number = 0;
  }
  if (start >= 0) take(start, number);
  return found;
}

const percentSign = 0x25;
/** Cache by character code: 1 is part of a word, 2 is not. The regular expression would take most of the time. */
const knownCodes = new Uint8Array(0x10000);

function isOfWord(code: number): boolean {
  const known = knownCodes[code];
  if (known) return known === 1;
  const is = ofWord.test(String.fromCharCode(code));
  knownCodes[code] = is ? 1 : 2;
  return is;
}
