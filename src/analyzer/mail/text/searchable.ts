// The text of a message, to search words in it.

/** A long text is folded only once, although many monitors may search it. */
export type SearchableText = { readonly folded: string; readonly isCut: boolean };

export function toSearchable({ text, isCut }: { readonly text: string; readonly isCut: boolean }): SearchableText {
  return { folded: fold(text), isCut };
}

export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
