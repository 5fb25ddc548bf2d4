// Folds a written name so that what looks alike compares equal: homoglyphs (UTS #39), styled letters, digits used as
// letters, accents, case and invisible characters. Names allow more than domains do, so this folds more than `toSkeleton`.

import { confusables, leet, nameConfusables, strokes } from "../confusables-table.ts";

/** Both readings of an upright stroke, which stands for I as well as for l. */
export type Folded = { readonly asI: string; readonly asL: string };

const isStroke: ReadonlySet<string> = new Set(strokes);
// Two letters that look like one are always written as two.
const pairs: Readonly<Record<string, string>> = { m: "rn", w: "vv" };
const lookOf: ReadonlyMap<string, string> = new Map(
  [leet, nameConfusables, confusables].flatMap((table) =>
    Object.entries(table).flatMap(([look, letters]) =>
      [...letters].map((letter) => [letter, pairs[look] ?? look] as const),
    ),
  ),
);

const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** Compatibility forms (full width, mathematical, circled) become plain letters; accents and invisible marks go. */
export function toPlainLetters(text: string): string {
  if (/^[\0-~]*$/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, fromSymbol);
}

/** Letters in black circles and squares, and those that flags are made of. */
function fromSymbol(symbol: string): string {
  const code = symbol.codePointAt(0) ?? 0;
  const first = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : 0x1f150;
  return String.fromCharCode(0x41 + code - first);
}

/** Of text that `toPlainLetters` gave. */
export function fold(text: string): Folded {
  let asI = "";
  let asL = "";
  for (const letter of text) {
    if (isStroke.has(letter)) {
      asI += "i";
      asL += "l";
      continue;
    }
    const look = lookOf.get(letter) ?? lookOf.get(letter.toLowerCase()) ?? letter.toLowerCase();
    asI += look;
    asL += look;
  }
  return { asI, asL };
}

// The words of a display name, as people read them: "PayPalSupport" is three, "P a y P a l" six.

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
