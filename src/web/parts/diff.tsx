// Before and after, one above the other: tinted, with changes struck through or underlined.

type DiffProps = {
  readonly before: string | null;
  readonly after: string | null;
  /** Labels of the two lines. */
  readonly names?: { readonly before: string; readonly after: string };
  /** Shown for a missing value. */
  readonly nothing?: string;
};

export function Diff({ before, after, names = { before: "Before", after: "Now" }, nothing = "nothing" }: DiffProps) {
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

/** The space after a change isn't marked. */
function Pieces({ as: Mark, pieces }: { readonly as: "del" | "ins"; readonly pieces: readonly DiffPiece[] }) {
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

// The differences between two records, word by word.

type DiffPiece = { readonly text: string; readonly isChanged: boolean };

/** Longer records are shown as entirely changed, because comparing them would be slow. */
const mostWords = 400;

function toDiff(before: string, after: string): { readonly old: DiffPiece[]; readonly new: DiffPiece[] } {
  const [one, other] = [toWords(before), toWords(after)];
  if (one.length > mostWords || other.length > mostWords)
    return { old: [{ text: before, isChanged: true }], new: [{ text: after, isChanged: true }] };
  const shared = findShared(one, other);
  const kept = { old: new Set(shared.map(([at]) => at)), new: new Set(shared.map(([, at]) => at)) };
  return { old: toPieces(one, kept.old), new: toPieces(other, kept.new) };
}

/** Words with the space after them, so that joining them restores the text. */
function toWords(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

type PositionPair = readonly [at: number, otherAt: number];

/** Positions of the longest common subsequence of words. */
function findShared(one: readonly string[], other: readonly string[]): PositionPair[] {
  const lengthAt = measureShared(one, other);
  const shared: PositionPair[] = [];
  for (let at = 0, otherAt = 0; at < one.length && otherAt < other.length; ) {
    if (isSame(one[at], other[otherAt])) shared.push([at++, otherAt++]);
    else if (lengthAt(at + 1, otherAt) >= lengthAt(at, otherAt + 1)) at++;
    else otherAt++;
  }
  return shared;
}

/** Length of the longest common subsequence after two positions, computed from the end. */
function measureShared(one: readonly string[], other: readonly string[]) {
  const lengths = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const lengthAt = (at: number, otherAt: number) => lengths[at]?.[otherAt] ?? 0;
  for (const [at, row] of [...lengths.entries()].slice(0, -1).reverse())
    for (let otherAt = other.length - 1; otherAt >= 0; otherAt--)
      row[otherAt] = isSame(one[at], other[otherAt])
        ? lengthAt(at + 1, otherAt + 1) + 1
        : Math.max(lengthAt(at + 1, otherAt), lengthAt(at, otherAt + 1));
  return lengthAt;
}

function isSame(word: string | undefined, other: string | undefined): boolean {
  return word?.trim() === other?.trim();
}

/** Adjacent words of the same kind become one piece. */
function toPieces(words: readonly string[], kept: ReadonlySet<number>): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  for (const [at, text] of words.entries()) {
    const isChanged = !kept.has(at);
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged) pieces[pieces.length - 1] = { text: last.text + text, isChanged };
    else pieces.push({ text, isChanged });
  }
  return pieces;
}
