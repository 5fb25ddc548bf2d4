// The words of a display name, as people read them: "PayPalSupport" is three, "P a y P a l" six.

import { type Folded, fold, toPlainLetters } from "./fold.ts";

export type Word = Folded & {
  /** In lower case and without accents. It differs from `asI` where letters were replaced by others. */
  readonly plain: string;
};

/** No honest name has more; the rest is ignored. */
const maxWords = 40;

// Some signs are letters where they touch one: "P@yPal", "Micro$oft", "PayPa|".
const word = /(?:[\p{L}\p{N}$€£¢]|[@!](?=\p{L})|(?<=\p{L})\|)+/gu;
const boundary =
  /(?<=[\p{Ll}\d])(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])(?=[A-Za-z])|(?<=[A-Za-z])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u;

export function toWords(text: string): Word[] {
  const written = toPlainLetters(text).match(word)?.slice(0, maxWords) ?? [];
  return written
    .flatMap((one) => one.split(boundary))
    .slice(0, maxWords)
    .map((one) => ({ ...fold(one), plain: one.toLowerCase() }));
}
