// No database keeps a NUL or half of a surrogate pair in a text; strangers send both.

export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** As above, and what is longer is cut, and shows it. */
export function toStorableCut(text: string, maxLength: number): string {
  return toStorable(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
}
