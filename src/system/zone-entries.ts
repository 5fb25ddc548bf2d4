// The outer grammar of a master file (RFC 1035 §5.1): lines, parentheses, quotation marks, comments.

export type ZoneEntryText = {
  readonly line: number;
  /** An entry that begins with a blank belongs to the name above it. */
  readonly beginsBlank: boolean;
  readonly words: readonly string[];
};

export type SplitZone =
  | { readonly ok: true; readonly entries: readonly ZoneEntryText[] }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** Blank or comment, line break, parenthesis, quoted text, bare word. */
const tokenPattern = /([ \t\r]+|;[^\n]*)|(\n)|([()])|"((?:[^"\\\n]|\\[^\n])*)"|((?:[^\s"();\\]|\\[^\n])+)/gy;

export function splitZone(text: string): SplitZone {
  const entries: ZoneEntryText[] = [];
  let offset = 0;
  let line = 1;
  let depth = 0;
  const begin = () => ({
    line,
    beginsBlank: /^[ \t]/.test(text.slice(offset, offset + 1)),
    words: [] as string[],
  });
  let entry = begin();
  for (const [token, , newline, paren, quoted, bare] of text.matchAll(tokenPattern)) {
    offset += token.length;
    const word = quoted ?? bare;
    if (word !== undefined) entry.words.push(word);
    depth += paren === undefined ? 0 : depthStep(paren);
    if (depth < 0) return { ok: false, line, problem: "A closing parenthesis has no opening one." };
    if (newline === undefined) continue;
    line++;
    if (depth > 0) continue;
    entries.push(entry);
    entry = begin();
  }
  if (offset < text.length) return { ok: false, line, problem: toProblem(text[offset]) };
  if (depth > 0) return { ok: false, line: entry.line, problem: "A parenthesis is never closed." };
  return { ok: true, entries: [...entries, entry].filter(({ words }) => words.length > 0) };
}

function depthStep(paren: string): number {
  return paren === "(" ? 1 : -1;
}

function toProblem(character: string | undefined): string {
  if (character === '"') return "A quotation mark is not closed on its line.";
  if (character === "\\") return "A backslash has nothing behind it.";
  return "A character stands here that a zone cannot hold.";
}
