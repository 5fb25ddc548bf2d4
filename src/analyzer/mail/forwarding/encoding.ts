// Text as servers write it again: transfer encodings, and the addresses of a header.

/** Postfix ends a line softly once it has more than 72 characters. */
const softBreakAfter = 72;
const base64Line = /.{1,76}/g;

/** Lines end with CRLF. */
export function toQuotedPrintable(text: string): string {
  return text.split("\r\n").map(toQuotedLine).join("\r\n");
}

function toQuotedLine(line: string): string {
  const lines: string[] = [];
  let current = "";
  for (const character of line) {
    if (current.length > softBreakAfter) {
      lines.push(`${current}=`);
      current = "";
    }
    current += /[\t -<>-~]/.test(character) ? character : toHex(character);
  }
  return [...lines, current.replace(/[ \t]$/, toHex)].join("\r\n");
}

function toHex(character: string): string {
  return `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

export function toBase64Lines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return text.replace(base64Line, "$&\r\n");
}

/** Mailman reads the addresses and writes them again, with quotes only where a name needs them. */
export function formatMailboxes(values: readonly string[]): string {
  return values
    .flatMap((value) => splitOutside(value.replaceAll("\r\n", ""), ",", '"(<'))
    .map(formatMailbox)
    .join(", ");
}

/** Splits where no quotes, comments, or angle brackets are open. In linear time, because a stranger wrote the text. */
export function splitOutside(text: string, separator: string, openers: string): string[] {
  const parts: string[] = [];
  /** Up to there, this opener is known not to be closed, so it is plain text. */
  const plainUntil = new Map<string, number>();
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
    if (!openers.includes(character) || at < (plainUntil.get(character) ?? 0)) continue;
    const { end, isClosed } = findEnd(text, at);
    if (isClosed) at = end;
    else plainUntil.set(character, end);
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "");
}

const closers: Readonly<Record<string, string>> = { '"': '"', "(": ")", "<": ">" };

/** At its closing character, or unclosed at the same opener again or at the end of the text. */
function findEnd(text: string, from: number): { readonly end: number; readonly isClosed: boolean } {
  const opener = text.charAt(from);
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === closers[opener]) return { end: at, isClosed: true };
    if (character === opener) return { end: at, isClosed: false };
    if (character === "\\" && opener !== "<") at += 1;
  }
  return { end: text.length, isClosed: false };
}

function formatMailbox(written: string): string {
  const open = written.lastIndexOf("<");
  const close = written.indexOf(">", open);
  const isBracketed = open >= 0 && close > open && !written.includes(">", close + 1);
  const inBrackets = isBracketed ? written.slice(open + 1, close) : undefined;
  const address = (inBrackets ?? written.replace(/\([^()]*\)/g, "")).replace(/\s/g, "");
  const name = inBrackets === undefined ? findComment(written) : toName(written.slice(0, open));
  if (name === "") return address;
  const quote = /[\][\\()<>@,:;".]/.test(name) ? '"' : "";
  return `${quote}${name.replace(/[\\"]/g, "\\$&")}${quote} <${address}>`;
}

function findComment(text: string): string {
  let at = text.indexOf("(");
  while (at >= 0 && at < text.length) {
    const { end, isClosed } = findEnd(text, at);
    if (isClosed) return text.slice(at + 1, end);
    at = end;
  }
  return "";
}

function toName(phrase: string): string {
  return unquote(phrase).replace(/\s+/g, " ").trim();
}

function unquote(phrase: string): string {
  let bare = "";
  let at = 0;
  for (let open = phrase.indexOf('"'); open >= 0; open = phrase.indexOf('"', at)) {
    const { end, isClosed } = findEnd(phrase, open);
    if (!isClosed) break;
    bare += phrase.slice(at, open) + phrase.slice(open + 1, end).replace(/\\(.)/gs, "$1");
    at = end + 1;
  }
  return bare + phrase.slice(at);
}
