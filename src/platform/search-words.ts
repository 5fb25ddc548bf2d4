// Normalizes text for searching: lower case, compatible forms alike (full-width, ligatures, mathematical letters), no
// invisible characters. Done here because databases differ, and a search must find the same on both.

/** Normalized words, in order. */
export function toSearchWords(text: string): string[] {
  return text
    .toWellFormed()
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ς", "σ") // lower-casing Σ depends on its position
    .replace(/\p{Cf}/gu, "")
    .split(/[\s\p{C}]+/u)
    .filter((word) => word !== "");
}

/** All runs of three characters; none for shorter words. */
export function trigramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}
