// Makes untrusted text safe for terminals, logs and plain text: characters that move the cursor, change the text
// direction, are invisible or break lines are escaped. They are not removed, so that readers see they were there.

/** An emoji of several parts keeps its joiners and selectors, because without them it falls apart. */
const unseen =
  /(?<!\p{Extended_Pictographic})\ufe0f(?!\u20e3)|(?<![\p{Extended_Pictographic}\p{EMod}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})|[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\ufe0f\u200d]]/gv;
const shortForms: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function toVisible(text: string): string {
  return text.replace(unseen, (character) => shortForms[character] ?? escapeOf(character));
}

/** Also cuts text longer than `maxLength` and appends its length. */
export function toVisibleCut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return toVisible(text);
  return `${toVisible(text.slice(0, maxLength))}… (${text.length} characters)`;
}

/** JSON with the same characters escaped as JSON does it, so that it stays JSON. */
export function toVisibleJson(value: unknown): string {
  return JSON.stringify(value).replace(unseen, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For HTML and XML, in text and in attributes with double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
