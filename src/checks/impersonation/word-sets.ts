// The words that organizations put beside their names, folded as names are.

import {
  aboutWords,
  accountWords,
  fillerWords,
  parcelWords,
  placeWords,
  serviceWords,
  unspacedWords,
} from "./name-words-table.ts";
import { toWords, type Word } from "./words.ts";

export const folded = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((word) => toWords(word).map(({ asI }) => asI)));
export const accounts = folded(accountWords);
export const services = folded([...accountWords, ...serviceWords]);
export const parcels = folded(parcelWords);
const compounds: ReadonlySet<string> = new Set(
  [...accountWords, ...parcelWords].flatMap((word) => toWords(word).map(({ plain }) => plain)),
);
export const abouts = folded(aboutWords);
export const fillers = folded(fillerWords);
export const places = folded(placeWords);
const unspaced = unspacedWords
  .flatMap((word) => toWords(word).map(({ asI }) => asI))
  .sort((left, right) => right.length - left.length);

export function isIn(set: ReadonlySet<string>, { asI, asL }: Word): boolean {
  return set.has(asI) || set.has(asL);
}

const shortestPart = 4;

/** "Sicherheitsverfahren", "Zollgebühren", "tullavgift": a word of account or parcel with another. */
export function isCompound({ plain }: Word): boolean {
  if (plain.length > 40) return false;
  const letters = [...plain];
  for (let at = shortestPart; at <= letters.length - shortestPart; at++)
    if (compounds.has(letters.slice(0, at).join("")) || compounds.has(letters.slice(at).join("")))
      return true;
  return false;
}

export const unspacedLetters =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

export function isUnspaced({ asI }: Word): boolean {
  let rest = asI;
  if (!unspacedLetters.test(rest)) return false;
  while (rest !== "") {
    const known = unspaced.find((word) => rest.startsWith(word));
    if (known === undefined) return false;
    rest = rest.slice(known.length);
  }
  return true;
}
