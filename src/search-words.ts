// A text as a search sees it: words without case, their compatible forms alike (full-width, ligatures, the letters of
// mathematics), without invisible characters. By our own code and not by a database's, because each folds otherwise, and
// the same search is to find the same on both.

/** Folded, in their order. */
export function toSearchWords(text: string): string[] {
  return text
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ς", "σ") // lower case writes a capital sigma by where it stands
    .replace(/\p{Cf}/gu, "")
    .split(/[\s\p{C}]+/u)
    .filter((word) => word !== "");
}

/** Each three characters that follow one another; none of a shorter word. */
export function trigramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}
