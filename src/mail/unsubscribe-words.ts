// Whether words, or the address of a link, name the way out of a newsletter.

import { unsubscribeWords } from "./unsubscribe-words-table.ts";

/** What the address of such a link says, whatever the language of its text. */
export const unsubscribeAddress =
  /unsub|opt[-_]?out|abmeld|abbestell|desabonn|desinscri|disiscri|uitschrij|afmeld|avregistr|odhlasit|wypisz|darse-?de-?baja|descadastr|email[-_]?preferences|subscription[-_]?(?:center|centre|preferences)|manage[-_]?preferences|preference[-_]?cent(?:er|re)/i;

const everyWord = [...new Set(Object.values(unsubscribeWords).flat().map(fold))];
/** One that holds another finds nothing more. */
const words = everyWord.filter((word) => !everyWord.some((other) => other !== word && word.includes(other)));
const asciiWords = words.filter((word) => !/[^ -~]/.test(word));

export function namesUnsubscribing(text: string): boolean {
  const lower = fold(text);
  return wordsIn(lower).some((word) => lower.includes(word));
}

/** What stands around such words, in lower case, with `reach` characters to either side. */
export function aroundUnsubscribing(text: string, reach: number, maxPlaces: number): string[] {
  const lower = fold(text);
  const around: string[] = [];
  for (const word of wordsIn(lower)) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      if (around.length >= maxPlaces) return around;
      around.push(lower.slice(Math.max(0, at - reach), at + word.length + reach));
    }
  }
  return around;
}

function wordsIn(text: string): readonly string[] {
  return /[^\0-~]/.test(text) ? words : asciiWords;
}

/** Lower case, with the two Turkish letters i as one: nobody can tell which of them a capital stands for. */
function fold(text: string): string {
  return text.toLowerCase().replace(/ı|i\u0307/g, "i");
}
