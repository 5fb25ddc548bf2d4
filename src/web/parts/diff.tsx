// What was and what is, one above the other: tinted, and what differs struck through or underlined as well.

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

// What differs between a record and the one that followed it, word by word.

type DiffPiece = { readonly text: string; readonly isChanged: boolean };

/** Longer ones are shown as wholly other: to compare them would take the reader's processor. */
const mostWords = 400;

function toDiff(before: string, after: string): { readonly old: DiffPiece[]; readonly new: DiffPiece[] } {
  const [one, other] = [toWords(before), toWords(after)];
  if (one.length > mostWords || other.length > mostWords)
    return { old: [{ text: before, isChanged: true }], new: [{ text: after, isChanged: true }] };
  const shared = findShared(one, other);
  const kept = { old: new Set(shared.map(([at]) => at)), new: new Set(shared.map(([, at]) => at)) };
  return { old: toPieces(one, kept.old), new: toPieces(other, kept.new) };
}

/** Each with the space behind it, so that they make the text again. */
function toWords(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

type PositionPair = readonly [at: number, otherAt: number];

/** The places of the longest run of words that both have in the same order. */
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

/** How long such a run is behind two places, worked out from the ends. */
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

/** Neighbours of one kind make one piece. */
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
