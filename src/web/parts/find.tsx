// A search field for the text below it, and the highlighted matches.

import { Icon } from "./icon.tsx";
import { isStatic } from "./static.ts";

type FindProps = {
  /** Where it searches: "in the headers". */
  readonly where: string;
  readonly placeholder: string;
  readonly word: string;
  /** The number of matches, in words. Hidden while the field is empty. */
  readonly found: string;
  readonly onFind: (word: string) => void;
};

export function FindField({ where, placeholder, word, found, onFind }: FindProps) {
  return isStatic ? null : (
    <span class="row find">
      <span class="small muted" role="status">
        {word.trim() === "" ? "" : found}
      </span>
      <label class="slim search">
        <span class="vh">Find {where}</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder={placeholder}
          value={word}
          onInput={(event) => onFind(event.currentTarget.value)}
        />
      </label>
    </span>
  );
}

export function Marked({ text, word }: { readonly text: string; readonly word: string }) {
  return (
    <>
      {toPieces(text, word.trim()).map((piece, index) =>
        piece.isFound ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}

// Case-insensitive matches of a word in a text.

type TextPiece = { readonly text: string; readonly isFound: boolean };

/** The text, split into matches and the parts between them. */
function toPieces(text: string, word: string): readonly TextPiece[] {
  if (word === "") return [{ text, isFound: false }];
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const from of placesOf(text, word)) {
    if (from > at) pieces.push({ text: text.slice(at, from), isFound: false });
    pieces.push({ text: text.slice(from, from + word.length), isFound: true });
    at = from + word.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isFound: false });
  return pieces;
}

export function countIn(text: string, word: string): number {
  return placesOf(text, word).length;
}

/** Lowercase can be longer than the original (İ). Then the search is case-sensitive, so that positions stay right. */
function placesOf(text: string, word: string): number[] {
  if (word === "") return [];
  const lower = text.toLowerCase();
  const [within, wanted] = lower.length === text.length ? [lower, word.toLowerCase()] : [text, word];
  const places: number[] = [];
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}
