// Lookalike letters from UTS #39 (confusables.txt, Unicode 15), with the text that each looks like. The data is © Unicode,
// Inc., used under the Unicode License v3 (https://www.unicode.org/license.txt).

import letters from "./confusables.json" with { type: "json" };

type Lookalikes = Readonly<Record<string, string>>;

/**
 * Letters allowed in domains that look like ASCII, for alphabets similar to Latin. The only uppercase letter is I, whose
 * look is lost in lowercase. The standard lists ӏ (U+04CF) under i, but in nearly all fonts it looks like l, as in the
 * аррӏе attack of 2017. It has only single letters: vv is what phishers write for w.
 */
export const confusables: Lookalikes = letters.inDomains;

/**
 * More letters that occur in names but not in domains: capitals, small capitals and letters with strokes, without marks.
 * The last few only look like Latin at a glance and are not in the standard.
 */
export const nameConfusables: Lookalikes = letters.inNames;

/** Letters that look like I, i or l. */
export const strokes = "I1!|ΙІӀⵏꓲ𝈪Ɩǀ";

/** Digits and symbols that replace letters to disguise a word. */
export const leet: Lookalikes = letters.leet;
