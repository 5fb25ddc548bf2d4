// No database keeps a NUL or half of a surrogate pair in a text; strangers send both.

/** `mayHoldNul` false: whoever knows spares the search of a long text. */
export function toStorable(text: string, mayHoldNul = true): string {
  const formed = text.toWellFormed();
  return mayHoldNul && formed.includes("\0") ? formed.replaceAll("\0", "\ufffd") : formed;
}

/** As above, and what is longer is cut, and shows it. */
export function toStorableCut(text: string, maxLength: number): string {
  return toStorable(text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);
}
