// Percent escapes of URLs, from strangers.

/** Null if an escape is invalid, or is not UTF-8. */
export function readEscapes(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Leaves a text as it is if an escape is invalid. */
export function decodeEscapes(text: string): string {
  return readEscapes(text) ?? text;
}
