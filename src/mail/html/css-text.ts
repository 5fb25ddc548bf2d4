// Escapes, comments and ends of CSS text.

// CSS as text: what stands outside strings, brackets, escapes and comments.

const escapes = /\\(?:([0-9a-f]{1,6})\s?|(\r\n|[\n\r\f])|([\s\S]))/gi;

/** §4.3.7: `\75rl(` is `url(`. */
export function decodeEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(escapes, (_, hex?: string, newline?: string, other?: string) => {
    if (newline !== undefined || hex === undefined) return other ?? "";
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}

const signs = /["'\\()[\]{};,]/g;

/** The offset of the first of these characters outside strings, brackets and escapes, or the end of the text. */
export function findStop(text: string, from: number, stops: string): number {
  let depth = 0;
  signs.lastIndex = from;
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const at = match.index;
    const sign = match[0];
    // Braces count in open brackets too: one that is never closed would else swallow the rest of the sheet.
    if (stops.includes(sign) && (depth === 0 || sign === "{" || sign === "}")) return at;
    if (sign === "\\") signs.lastIndex = at + 2;
    else if (sign === '"' || sign === "'") signs.lastIndex = endOfString(text, at) + 1;
    else depth = Math.max(0, depth + (steps[sign] ?? 0));
  }
  return text.length;
}

const steps: Readonly<Record<string, number>> = { "(": 1, "[": 1, ")": -1, "]": -1 };

/** A string that no quote closes ends with its line. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === quote) return at;
    else if (sign === "\n") return at;
  }
  return text.length;
}

/** The marks `<!--` and `-->` around old sheets fall too. */
export function withoutComments(text: string): string {
  if (!text.includes("/*") && !text.includes("-->") && !text.includes("<!--")) return text;
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, " ");
}
