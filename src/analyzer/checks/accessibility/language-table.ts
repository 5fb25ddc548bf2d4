// The first tag of each row is the guess.

import wordsByTags from "./small-words.json" with { type: "json" };

const tags = (list: string): readonly string[] => list.split(" ");

type ScriptRow = { readonly letter: RegExp; readonly alike: readonly string[]; readonly isRightToLeft: boolean };

export const scriptLanguages: readonly ScriptRow[] = [
  { letter: /\p{Script=Greek}/gu, alike: tags("el grc"), isRightToLeft: false },
  {
    letter: /\p{Script=Cyrillic}/gu,
    alike: tags("ru uk bg sr mk be kk ky mn tg uz tt ba bs sh os cv"),
    isRightToLeft: false,
  },
  { letter: /\p{Script=Hebrew}/gu, alike: tags("he iw yi"), isRightToLeft: true },
  { letter: /\p{Script=Arabic}/gu, alike: tags("ar fa ur ps sd ckb ug ku az pa ks arz ary"), isRightToLeft: true },
  { letter: /\p{Script=Hangul}/gu, alike: tags("ko"), isRightToLeft: false },
  { letter: /\p{Script=Thai}/gu, alike: tags("th"), isRightToLeft: false },
  { letter: /\p{Script=Devanagari}/gu, alike: tags("hi mr ne sa kok mai bho"), isRightToLeft: false },
  { letter: /\p{Script=Georgian}/gu, alike: tags("ka"), isRightToLeft: false },
  { letter: /\p{Script=Armenian}/gu, alike: tags("hy"), isRightToLeft: false },
  {
    letter: /[\p{Script=Hiragana}\p{Script=Katakana}]|\p{Script=Han}/gu,
    alike: tags("zh ja yue wuu"),
    isRightToLeft: false,
  },
];

type WordRow = { readonly words: ReadonlySet<string>; readonly alike: readonly string[] };

/** Words that are frequent in one language and rare in the others listed. */
export const smallWords: readonly WordRow[] = Object.entries(wordsByTags).map(([alike, words]) => ({
  alike: tags(alike),
  words: new Set(words.split(" ")),
}));
