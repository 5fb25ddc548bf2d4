// Finds the phrases of the table in one pass over the words: a text is read once, however many phrases there are.

import { type PhraseGroup, phraseGroups } from "./phrase-table.ts";

type Phrase = { readonly words: readonly string[]; readonly group: PhraseGroup };

export type FoundPhrase = { readonly group: PhraseGroup; readonly phrase: string };

const word = /[\p{L}\p{N}]+(?:'\p{L}+)?/gu;

const phrasesByFirstWord = Map.groupBy(
  (Object.entries(phraseGroups) as [PhraseGroup, readonly string[]][]).flatMap(([group, phrases]) =>
    phrases.map((phrase): Phrase => ({ words: phrase.split(" "), group })),
  ),
  ({ words: [first = ""] }) => first,
);

/** One phrase of each group, the first that occurs. */
export function findPhrases(text: string): FoundPhrase[] {
  const words = text.replaceAll("’", "'").toLowerCase().match(word) ?? [];
  const found = new Map<PhraseGroup, string>();
  for (const [at, first] of words.entries()) {
    const phrases = phrasesByFirstWord.get(first);
    if (phrases === undefined) continue;
    for (const { words: wanted, group } of phrases) {
      if (found.has(group) || !stands(wanted, words, at)) continue;
      found.set(group, words.slice(at, at + wanted.length).join(" "));
    }
  }
  return [...found].map(([group, phrase]) => ({ group, phrase }));
}

function stands(wanted: readonly string[], words: readonly string[], at: number): boolean {
  return wanted.every((one, index) => {
    const there = words[at + index];
    return one === "#" ? /^\d{1,6}$/.test(there ?? "") : there === one;
  });
}
