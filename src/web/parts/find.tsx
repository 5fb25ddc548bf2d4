// A field that finds words in what stands below it, and the words marked there.

import { toPieces } from "../client/find.ts";
import { Icon } from "./icon.tsx";
import { isStatic } from "./static.ts";

type FindProps = {
  /** What is looked through: "in the headers". */
  readonly where: string;
  readonly placeholder: string;
  readonly word: string;
  /** How often, in words; nothing while nothing is looked for. */
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
