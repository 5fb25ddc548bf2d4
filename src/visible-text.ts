// Makes a stranger's text safe for a terminal, a log or a page of plain text: what would move the cursor, turn the
// reading direction, hide, or break the line is shown as its escape. Escaped and not removed, because the reader
// of a log wants to see that it was there.

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const shortForms: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function toVisible(text: string): string {
  return text.replace(unseen, (character) => shortForms[character] ?? escapeOf(character));
}

/** As above, and what is longer than `maxLength` is cut and says how long it was. */
export function toVisibleCut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return toVisible(text);
  return `${toVisible(text.slice(0, maxLength))}… (${text.length} characters)`;
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
}
