// The alphabets of a label, and whether they may stand together: the profile "highly restrictive" of UTS #39 §5.2.

const names = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Georgian",
  "Cherokee",
  "Coptic",
  "Hebrew",
  "Arabic",
  "Syriac",
  "Thaana",
  "Nko",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Tibetan",
  "Myanmar",
  "Khmer",
  "Ethiopic",
  "Mongolian",
  "Canadian_Aboriginal",
  "Tifinagh",
  "Lisu",
  "Han",
  "Hiragana",
  "Katakana",
  "Bopomofo",
  "Hangul",
] as const;

const scripts = names.map(
  (name) => [name.replace("_", " "), new RegExp(`\\p{Script=${name}}`, "u")] as const,
);

/** Whoever writes Japanese, Chinese or Korean writes Latin beside it. */
const together: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

/** The alphabets that should not stand in one label, or null when they may. Digits and hyphens belong to all. */
export function mixedScriptsIn(label: string): string[] | null {
  if (/^[\0-~]*$/.test(label)) return null;
  const found = scripts.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  if (found.length < 2 || together.some((group) => found.every((name) => group.has(name)))) return null;
  return found;
}

/** Whether a text may hold letters beyond the Latin ones. Quick, and most texts hold none: their words are then quick to find. */
export function mayHoldOtherLetters(text: string): boolean {
  return /[\u0250-\u1fff\u2c00-\uffff]/.test(text);
}
