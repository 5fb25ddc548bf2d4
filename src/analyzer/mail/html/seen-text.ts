// The text of a page as a reader sees it.

/** Text kept in pieces while it grows, because checking the end of a long text after each piece is quadratic. */
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

/** Most spaces are single and stay as they are. Between tags there is mostly nothing else. */
export function withSingleSpaces(text: string): string {
  if (text.trim() === "") return text === "" ? "" : " ";
  return text.replace(/[^\S ]\s*| \s+/g, " ");
}

const invisible = /[\p{Default_Ignorable_Code_Point}\s\u2800]/gu;
/** An invisible character that isn't a space. */
const invisibleOne = /[\0-\x20\p{Default_Ignorable_Code_Point}\u2800]/u;

type SeenText = {
  /** With single spaces. */
  readonly text: string;
  /** Visible characters: without spaces and invisible ones. */
  readonly chars: number;
};

/**
 * Usually done in one pass over the characters, because each pattern would read them all again. Text with emoji uses
 * the patterns.
 */
export function seeText(raw: string): SeenText {
  let text = "";
  let taken = 0;
  let chars = 0;
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    const sight = code > 32 && code < 127 ? seen : sightOf(code);
    if (sight === seen) chars++;
    else if (sight === surrogate) return { text: withSingleSpaces(raw), chars: raw.replace(invisible, "").length };
    else if (sight === space) {
      const end = endOfSpaces(raw, at);
      if (code === 32 && end === at + 1) continue;
      text += `${raw.slice(taken, at)} `;
      taken = end;
      at = end - 1;
    }
  }
  return { text: taken === 0 ? raw : text + raw.slice(taken), chars };
}

function endOfSpaces(text: string, begin: number): number {
  let end = begin + 1;
  while (end < text.length && sightOf(text.charCodeAt(end)) === space) end++;
  return end;
}

const seen = 1;
const unseen = 2;
const space = 3;
/** It is a character only together with its other half. */
const surrogate = 4;
/** Indexed by character code. 0 means not known yet. */
const sights = new Uint8Array(0x10000);

function sightOf(code: number): number {
  return sights[code] || learnSight(code);
}

function learnSight(code: number): number {
  const character = String.fromCharCode(code);
  const ofAll = /\s/.test(character) ? space : invisibleOne.test(character) ? unseen : seen;
  const sight = /\p{Cs}/u.test(character) ? surrogate : ofAll;
  sights[code] = sight;
  return sight;
}
