// What was and what is, one above the other: tinted, and what differs struck through or underlined as well.

import { type Piece, toDiff } from "./word-diff.ts";

type DiffProps = {
  readonly before: string | null;
  readonly after: string | null;
  /** Of the two lines. */
  readonly names?: { readonly before: string; readonly after: string };
  /** Instead of nothing. */
  readonly nothing?: string;
};

export function Diff({
  before,
  after,
  names = { before: "Before", after: "Now" },
  nothing = "nothing",
}: DiffProps) {
  const pieces = toDiff(before ?? "", after ?? "");
  return (
    <div class="diff">
      <div class="old">
        <span>{names.before}</span>
        <span>{before === null ? <i>{nothing}</i> : <Pieces as="del" pieces={pieces.old} />}</span>
      </div>
      <div class="new">
        <span>{names.after}</span>
        <span>{after === null ? <i>{nothing}</i> : <Pieces as="ins" pieces={pieces.new} />}</span>
      </div>
    </div>
  );
}

/** The space behind a change is not marked. */
function Pieces({ as: Mark, pieces }: { readonly as: "del" | "ins"; readonly pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map(({ text, isChanged }, at) => {
        const words = text.trimEnd();
        if (!isChanged || words === "") return text;
        return (
          <span key={at}>
            <Mark>{words}</Mark>
            {text.slice(words.length)}
          </span>
        );
      })}
    </>
  );
}
