// Which words of the kind tables stand in a text. All of them are looked for in one walk over the text's words, because
// there are hundreds; where a script does not part words, each is looked for by itself.

import { wordWeights } from "./kind-weight-tables.ts";
import { codeNames, numberedThings, offerTerms, transactionPhrases } from "./kind-word-tables.ts";
import { whenNeeded } from "./when-needed.ts";

export type WordRow = "code" | "thing" | `transaction ${string}` | `offer ${number}` | `weight ${number}`;
export type FoundWords = { readonly row: WordRow; readonly words: string; readonly end: number };

type Entry = { readonly row: WordRow; readonly words: string };

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const word = /[\p{L}\p{M}\p{N}]+|%/gu;
const letter = /[\p{L}\p{N}]/u;

/** Hundreds begin with the same few words ("your", "if"): the second one tells them apart. */
type Beginning = { readonly alone: Entry[]; readonly before: Map<string, Entry[]> };

type Index = {
  readonly byFirstWord: ReadonlyMap<string, Beginning>;
  /** Most words begin none of them, which is told here before they are looked for. */
  readonly mayBegin: Uint8Array;
  /** Of scripts that do not part words. */
  readonly others: readonly Entry[];
};

const index = whenNeeded((): Index => {
  const entries: readonly Entry[] = [
    ...toEntries("code", codeNames),
    ...toEntries("thing", numberedThings),
    ...Object.entries(transactionPhrases).flatMap(([what, phrases]) =>
      toEntries(`transaction ${what}`, phrases),
    ),
    ...offerTerms.flatMap((terms, at) => toEntries(`offer ${at}`, terms)),
    ...wordWeights.flatMap(({ words }, at) => toEntries(`weight ${at}`, words)),
  ];
  const byFirstWord = new Map<string, Beginning>();
  for (const entry of entries) {
    if (unspaced.test(entry.words)) continue;
    const [first = "", second] = entry.words.match(word) ?? [];
    const beginning: Beginning = byFirstWord.get(first) ?? { alone: [], before: new Map<string, Entry[]>() };
    byFirstWord.set(first, beginning);
    if (second === undefined) beginning.alone.push(entry);
    else beginning.before.set(second, [...(beginning.before.get(second) ?? []), entry]);
  }
  const mayBegin = new Uint8Array(places);
  for (const first of byFirstWord.keys()) mayBegin[placeOf(first)] = 1;
  return { byFirstWord, mayBegin, others: entries.filter(({ words }) => unspaced.test(words)) };
});

const places = 32_768;

function toEntries(row: WordRow, phrases: readonly string[]): Entry[] {
  return phrases.map((words) => ({ row, words }));
}

function placeOf(word: string): number {
  return (
    (word.charCodeAt(0) * 1_013 +
      (word.charCodeAt(1) || 0) * 101 +
      word.charCodeAt(word.length - 1) * 11 +
      word.length) %
    places
  );
}

function candidatesOf({ alone, before }: Beginning, second = ""): readonly Entry[] {
  const longer = before.get(second);
  return longer === undefined ? alone : [...alone, ...longer];
}

function note({ row, words }: Entry, text: string, at: number, found: FoundWords[]): void {
  const end = at + words.length;
  if (text.startsWith(words, at) && !letter.test(text[end] ?? "")) found.push({ row, words, end });
}

/** `text` in lower case; in the order of the text. */
export function findWords(text: string): FoundWords[] {
  const { byFirstWord, mayBegin, others } = index();
  const found: FoundWords[] = [];
  let at = 0;
  const words = text.match(word) ?? [];
  for (const [place, first] of words.entries()) {
    // Between two words stands nothing of a word, so that this is the very place of the match.
    at = text.indexOf(first, at);
    const beginning = mayBegin[placeOf(first)] ? byFirstWord.get(first) : undefined;
    if (beginning)
      for (const entry of candidatesOf(beginning, words[place + 1])) note(entry, text, at, found);
    at += first.length;
  }
  if (!unspaced.test(text)) return found;
  for (const { row, words } of others) {
    const start = text.indexOf(words);
    if (start >= 0) found.push({ row, words, end: start + words.length });
  }
  return found;
}
