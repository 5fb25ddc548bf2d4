// Folds a name so that lookalikes compare equal: homoglyphs (UTS #39), styled letters, digits used as letters, accents, case
// and invisible characters. Names allow more characters than domains, so this folds more than `toSkeleton`.

import { confusables, leet, nameConfusables, strokes } from "../confusables-table.ts";

/** Both readings of a vertical stroke, which can be an I or an l. */
export type Folded = { readonly asI: string; readonly asL: string };

const isStroke: ReadonlySet<string> = new Set(strokes);
// A letter that looks like two others is always folded to the two.
const pairs: Readonly<Record<string, string>> = { m: "rn", w: "vv" };
const lookOf: ReadonlyMap<string, string> = new Map(
  [leet, nameConfusables, confusables].flatMap((table) =>
    Object.entries(table).flatMap(([look, letters]) =>
      [...letters].map((letter) => [letter, pairs[look] ?? look] as const),
    ),
  ),
);

const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** Turns compatibility forms (full width, mathematical, circled) into plain letters and removes accents and invisible marks. */
export function toPlainLetters(text: string): string {
  if (/^[\0-~]*$/.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, fromSymbol);
}

/** Letters in black circles and squares, and regional indicators (flags). */
function fromSymbol(symbol: string): string {
  const code = symbol.codePointAt(0) ?? 0;
  const first = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : 0x1f150;
  return String.fromCharCode(0x41 + code - first);
}

/** Expects the output of `toPlainLetters`. */
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

// Splits a sender name into words as people read them: "PayPalSupport" has three, "P a y P a l" six.

export type Word = Folded & {
  /** In lowercase and without accents. Differs from `asI` if letters were replaced by lookalikes. */
  readonly plain: string;
};

/** No real name has more. The rest is ignored. */
const maxWords = 40;

// Some symbols count as letters next to a letter: "P@yPal", "Micro$oft", "PayPa|".
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
