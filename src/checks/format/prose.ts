// What two bodies say, compared by their words.

import { mayHoldOtherLetters } from "../scripts.ts";

/** Of each body: enough to know whether they say the same, and quick. */
const maxCompared = 2_000;
const maxMarkupRead = 5_000;
const address = /https?:\/\/\S+/gi;
/** Where words are written without spaces, every character counts as one. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;

/** For the letters of Europe's west, as most texts have, several times as quick. */
const latinWord = /[a-z0-9\u00aa\u00b2\u00b3\u00b5\u00b9\u00ba\u00bc-\u00be\u00df-\u00f6\u00f8-\u024f]+/g;

/** In lower case, without addresses: texts write links out, HTML does not. */
export function wordsIn(text: string): string[] {
  const read = text.slice(0, 4 * maxCompared);
  const prose = read.includes("://") ? read.replace(address, " ") : read;
  const words = prose.slice(0, maxCompared).toLowerCase();
  return words.match(mayHoldOtherLetters(words) ? word : latinWord) ?? [];
}

/** Of the different words of the shorter body, the share that the other has too; where that is `enough`, at least so much. */
export function shareOfWords(words: readonly string[], others: readonly string[], enough: number): number {
  const some = new Set(words);
  const both = new Set<string>();
  for (const word of others)
    if (some.has(word) && both.add(word).size / some.size >= enough) return both.size / some.size;
  const fewer = Math.min(some.size, new Set(others).size);
  return fewer === 0 ? 0 : both.size / fewer;
}

const tag =
  /<\/?(?:a|b|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|meta|ol|p|script|span|strong|style|table|tbody|td|th|title|tr|ul)(?:\s[^<>]{0,2000})?\/?>/gi;
const styleBlock = /\{\s{0,20}[a-z-]{2,30}\s{0,20}:[^{}]{1,1000}\}/gi;

/** Tags and blocks of styles. */
export function countMarkup(text: string): number {
  const read = text.slice(0, maxMarkupRead);
  if (!read.includes("<") && !read.includes("{")) return 0;
  return (read.match(tag)?.length ?? 0) + (read.match(styleBlock)?.length ?? 0);
}
