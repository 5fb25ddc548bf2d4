// Words that organizations add to their names, folded like names.

import { whenNeeded } from "../when-needed.ts";
import { type Folded, toWords, type Word } from "./fold.ts";
import {
  aboutWords,
  accountWords,
  fillerWords,
  lureWords,
  parcelWords,
  placeWords,
  prizeWords,
  serviceWords,
  unspacedWords,
} from "./name-words-table.ts";

/** Built on first use. */
export type Looks = () => ReadonlySet<string>;

export const folded = (words: readonly string[]): Looks =>
  whenNeeded(() => new Set(words.flatMap((word) => toWords(word).map(({ asI }) => asI))));
export const accounts = folded(accountWords);
export const services = folded([...accountWords, ...serviceWords]);
export const parcels = folded(parcelWords);
const compoundLures = ["gutschein", "gewinn", "geschenk", "prämien", "cadeau"];
const compounds = whenNeeded(
  () =>
    new Set(
      [...accountWords, ...parcelWords, ...compoundLures].flatMap((word) => toWords(word).map(({ plain }) => plain)),
    ),
);
export const lures = folded([...prizeWords, ...lureWords]);
export const prizes = folded(prizeWords);
export const abouts = folded(aboutWords);
export const fillers = folded(fillerWords);
export const places = folded(placeWords);
const unspaced = whenNeeded(() =>
  unspacedWords
    .flatMap((word) => toWords(word).map(({ asI }) => asI))
    .sort((left, right) => right.length - left.length),
);

export function isIn(looks: Looks, { asI, asL }: Folded): boolean {
  const set = looks();
  return set.has(asI) || set.has(asL);
}

const shortestPart = 4;

/** Compounds with an account or parcel word or a prize: "Sicherheitsverfahren", "Zollgebühren", "cadeaukaart". */
export function isCompound({ plain }: Word): boolean {
  if (plain.length > 40) return false;
  const letters = [...plain];
  for (let at = shortestPart; at <= letters.length - shortestPart; at++)
    if (compounds().has(letters.slice(0, at).join("")) || compounds().has(letters.slice(at).join(""))) return true;
  return false;
}

export const unspacedLetters = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;

export function isUnspaced({ asI }: Word): boolean {
  let rest = asI;
  if (!unspacedLetters.test(rest)) return false;
  while (rest !== "") {
    const known = unspaced().find((word) => rest.startsWith(word));
    if (known === undefined) return false;
    rest = rest.slice(known.length);
  }
  return true;
}
