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
    .flatMap((value) => splitMailboxes(value.replaceAll("\r\n", "")))
    .map(formatMailbox)
    .join(", ");
}

/** What isn't closed goes on to the end. */
const piece = /"(?:[^"\\]|\\[\s\S])*"?|\((?:[^()\\]|\\[\s\S])*\)?|<[^<>]*>?|[^,]/g;

function splitMailboxes(text: string): string[] {
  const mailboxes: string[] = [""];
  let at = 0;
  for (const match of text.matchAll(piece)) {
    if (match.index > at) mailboxes.push("");
    mailboxes[mailboxes.length - 1] += match[0];
    at = match.index + match[0].length;
  }
  return mailboxes.map((mailbox) => mailbox.trim()).filter((mailbox) => mailbox !== "");
}

function formatMailbox(written: string): string {
  const begin = written.lastIndexOf("<");
  const end = written.lastIndexOf(">");
  const isBracketed = begin >= 0 && end > begin && written.indexOf(">", begin) === end;
  const inBrackets = isBracketed ? written.slice(begin + 1, end) : undefined;
  const comment = written.matchAll(comments).find(([, , closing]) => closing !== "")?.[1] ?? "";
  const address = (inBrackets ?? written.replace(/\([^()]*\)/g, "")).replace(/\s/g, "");
  const name = inBrackets === undefined ? comment : toName(written.slice(0, begin));
  if (name === "") return address;
  const quote = /[\][\\()<>@,:;".]/.test(name) ? '"' : "";
  return `${quote}${name.replace(/[\\"]/g, "\\$&")}${quote} <${address}>`;
}

const comments = /\(((?:[^()\\]|\\[\s\S])*)(\)?)/g;
const quoted = /"((?:[^"\\]|\\[\s\S])*)("?)/g;

function toName(phrase: string): string {
  const bare = phrase.replace(quoted, (whole, inner: string, closing: string) =>
    closing === "" ? whole : inner.replace(/\\([\s\S])/g, "$1"),
  );
  return bare.replace(/\s+/g, " ").trim();
}
