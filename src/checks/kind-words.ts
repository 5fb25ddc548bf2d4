// Which words of the kind tables stand in a text. All of them are looked for in one walk over the text's words, because
// there are hundreds; where a script does not part words, each is looked for by itself.

import { codeNames, numberedThings, offerTerms, transactionPhrases } from "./kind-word-tables.ts";

export type WordRow = "code" | "thing" | `transaction ${string}` | `offer ${number}`;
export type FoundWords = { readonly row: WordRow; readonly words: string; readonly end: number };

type Entry = { readonly row: WordRow; readonly words: string };

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const word = /[\p{L}\p{M}\p{N}]+|%/gu;
const letter = /[\p{L}\p{N}]/u;

const entries: readonly Entry[] = [
  ...toEntries("code", codeNames),
  ...toEntries("thing", numberedThings),
  ...Object.entries(transactionPhrases).flatMap(([what, phrases]) =>
    toEntries(`transaction ${what}`, phrases),
  ),
  ...offerTerms.flatMap((terms, index) => toEntries(`offer ${index}`, terms)),
];
const byFirstWord = Map.groupBy(
  entries.filter(({ words }) => !unspaced.test(words)),
  ({ words }) => words.match(word)?.[0] ?? "",
);
const others = entries.filter(({ words }) => unspaced.test(words));

function toEntries(row: WordRow, phrases: readonly string[]): Entry[] {
  return phrases.map((words) => ({ row, words }));
}

/** `text` in lower case; in the order of the text. */
export function findWords(text: string): FoundWords[] {
  const found: FoundWords[] = [];
  for (const { 0: first, index } of text.matchAll(word)) {
    for (const { row, words } of byFirstWord.get(first) ?? []) {
      const end = index + words.length;
      if (text.startsWith(words, index) && !letter.test(text[end] ?? "")) found.push({ row, words, end });
    }
  }
  if (!unspaced.test(text)) return found;
  for (const { row, words } of others) {
    const index = text.indexOf(words);
    if (index >= 0) found.push({ row, words, end: index + words.length });
  }
  return found;
}
