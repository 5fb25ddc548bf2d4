// Signs of a transaction or an offer in a message, each as a sentence.

import { numberWords, offerTypes, transactionPhrases, transactionTypes } from "./kind-word-tables.ts";
import { type FoundWords, findWords } from "./kind-words.ts";

const gap = String.raw`[^\p{L}\p{N}\n]{0,4}`;
/** Years don't count. */
const longNumber = String.raw`[a-z]{0,5}[-_/]?(?!(?:19|20)\d\d(?!\d))\d[\d-]{3,}`;
const anyNumber = String.raw`(?=[\p{L}-]{0,12}\d)[\p{L}\d][\p{L}\d_/-]{2,}`;

/** Matches the number in "order 10023456", "Rechnung Nr. R-2026", "pedido #812". */
const itsNumber = new RegExp(
  String.raw`${gap}(?:${longNumber}|(?:#|(?:${numberWords})(?!\p{L}))${gap}${anyNumber})`,
  "uy",
);
/** For words that already mean "number", such as 注文番号. */
const plainNumber = new RegExp(`${gap}${anyNumber}`, "uy");
const code = /(?<![\p{L}\p{N}.,])(?:\d{4,8}|\d{3}[ -]\d{3}|[a-z]{1,3}-\d{4,8})(?![\p{L}\p{N}%])/u;

/** The first words of a message, in lowercase, with the table words found in them. */
export type Opening = { readonly text: string; readonly found: readonly FoundWords[] };

export function toOpening(text: string): Opening {
  return { text, found: findWords(text) };
}

export function transactionsIn({ text, found }: Opening, structuredTypes: readonly string[]): string[] {
  const reasons: string[] = [];
  for (const what of Object.keys(transactionPhrases)) {
    const phrase = found.find(({ row }) => row === `transaction ${what}`);
    if (phrase) reasons.push(`It is about ${what} ("${phrase.words}").`);
  }
  const codeName = found.find(({ row }) => row === "code");
  if (codeName && code.test(text)) reasons.push(`It contains a code ("${codeName.words}").`);
  const numbered = found.find((words) => words.row === "thing" && isNumbered(words, text));
  if (numbered) reasons.push(`It contains a number after "${numbered.words}".`);
  const type = structuredTypes.find((name) => transactionTypes.has(name));
  if (type !== undefined && !structuredTypes.some((name) => offerTypes.has(name)))
    reasons.push(`Its schema.org markup has the type ${type}.`);
  return reasons;
}

export function codeIn(text: string): boolean {
  return code.test(text);
}

export function isNumbered({ words, end }: FoundWords, text: string): boolean {
  const pattern = /(?:号|號|号码|號碼|编号|編號|번호|หมายเลข.{0,20})$/u.test(words) ? plainNumber : itsNumber;
  pattern.lastIndex = end;
  return pattern.test(text);
}

/** One word for each idea. */
export function offersIn({ found }: Opening): string[] {
  const byIdea = new Map(found.filter(({ row }) => row.startsWith("offer ")).map(({ row, words }) => [row, words]));
  return [...byIdea.values()];
}
