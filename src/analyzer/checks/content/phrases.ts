// Finds the phrases of the table. Phrases are looked up by the first three letters of each word, because one regular
// expression for all of them took longer than parsing the message.

import { type PhraseGroup, phraseGroups } from "./phrase-table.ts";

type FoundPhrase = { readonly group: PhraseGroup; readonly phrase: string };

const byBeginning = Map.groupBy(
  phraseGroups.flatMap(([group, phrases]) => phrases.map((phrase): FoundPhrase => ({ group, phrase }))),
  ({ phrase }) => beginningAt(phrase, 0),
);

/** Two beginnings may have the same number; the full comparison tells them apart. */
function beginningAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) ^ (text.charCodeAt(at + 1) << 8) ^ text.charCodeAt(at + 2);
}

/** One phrase of each group, the first that occurs. */
export function findPhrases(text: string): FoundPhrase[] {
  const words = text.toLowerCase();
  const found = new Map<PhraseGroup, string>();
  let wasLetter = false;
  for (let at = 0; at < words.length; at++) {
    const isLetter = isLetterCode(words.charCodeAt(at));
    const phrases = isLetter && !wasLetter ? byBeginning.get(beginningAt(words, at)) : undefined;
    wasLetter = isLetter;
    if (phrases === undefined) continue;
    for (const { group, phrase } of phrases)
      if (!found.has(group) && stands(phrase, words, at)) found.set(group, phrase);
  }
  return [...found].map(([group, phrase]) => ({ group, phrase }));
}

/** True for lowercase letters that a phrase may start with. */
function isLetterCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0xdf && code < 0x2000);
}

const partOfWord = /[\p{L}\p{N}]/u;

function stands(phrase: string, words: string, at: number): boolean {
  const end = at + phrase.length;
  if (partOfWord.test(words.charAt(end))) return false;
  const there = words.slice(at, end).replaceAll("’", "'");
  return there.replace(/[\n\u00a0-]/g, " ") === phrase;
}
