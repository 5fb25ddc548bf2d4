// The alphabets of a label, and whether they may be mixed (UTS #39 §5.2, "highly restrictive").

const names =
  "Latin Cyrillic Greek Armenian Georgian Cherokee Coptic Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Mongolian Canadian_Aboriginal Tifinagh Lisu Han Hiragana Katakana Bopomofo Hangul".split(
    " ",
  );

const scripts = names.map((name) => [name.replace("_", " "), new RegExp(`\\p{Script=${name}}`, "u")] as const);

/** Japanese, Chinese and Korean are often mixed with Latin. */
const together: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

/** Alphabets that should not be mixed in a label, or null. Digits and hyphens fit all alphabets. */
export function mixedScriptsIn(label: string): string[] | null {
  if (/^[\0-~]*$/.test(label)) return null;
  const found = scripts.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  if (found.length < 2 || together.some((group) => found.every((name) => group.has(name)))) return null;
  return found;
}

/** Whether a text may contain non-Latin letters. A fast test: most texts have none and then take a faster path. */
export function mayHoldOtherLetters(text: string): boolean {
  return /[\u0250-\u1fff\u2c00-\uffff]/.test(text);
}
