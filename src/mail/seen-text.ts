// The text of a page as a reader sees it.

/** Text as it grows: kept in pieces, because asking a long text for its end after each piece is quadratic. */
export class Prose {
  length = 0;
  private pieces: string[] = [];
  private last = "\n";

  copy(): Prose {
    const copy = new Prose();
    copy.length = this.length;
    copy.pieces = this.pieces.slice();
    copy.last = this.last;
    return copy;
  }

  add(text: string): void {
    const piece = text.startsWith(" ") && (this.last === "\n" || this.last === " ") ? text.slice(1) : text;
    if (piece === "") return;
    this.pieces.push(piece);
    this.length += piece.length;
    this.last = piece.at(-1) ?? "";
  }

  breakLine(): void {
    if (this.last === "\n") return;
    this.pieces.push("\n");
    this.length++;
    this.last = "\n";
  }

  toText(): string {
    return this.pieces.join("").trim();
  }
}

/** Most spaces are single ones, and are left alone. Between tags mostly nothing else stands. */
export function withSingleSpaces(text: string): string {
  if (text.trim() === "") return text === "" ? "" : " ";
  return text.replace(/[^\S ]\s*| \s+/g, " ");
}

const invisible = /[\p{Default_Ignorable_Code_Point}\s\u2800]/gu;
const invisibleOne = /[\p{Default_Ignorable_Code_Point}\s\u2800]/u;

/** Characters that a reader could see: without spaces and invisible ones. */
export function countSeen(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code < 0xe000) return text.replace(invisible, "").length;
    // Most texts have a dash or a sign of money, for which a pattern would be slow.
    if (code > 126) count += isSeen(code) ? 1 : 0;
    else if (code > 32) count++;
  }
  return count;
}

const unknown = 0;
const seen = 1;
const unseen = 2;
const sights = new Uint8Array(0x10000);

function isSeen(code: number): boolean {
  if (sights[code] === unknown) sights[code] = invisibleOne.test(String.fromCharCode(code)) ? unseen : seen;
  return sights[code] === seen;
}
