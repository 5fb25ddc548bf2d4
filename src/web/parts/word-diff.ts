// What differs between a record and the one that followed it, word by word.

export type Piece = { readonly text: string; readonly isChanged: boolean };

/** Longer ones are shown as wholly other: to compare them would take the reader's processor. */
const mostWords = 400;

export function toDiff(before: string, after: string): { readonly old: Piece[]; readonly new: Piece[] } {
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

type Places = readonly [at: number, otherAt: number];

/** The places of the longest run of words that both have in the same order. */
function findShared(one: readonly string[], other: readonly string[]): Places[] {
  const lengthAt = measureShared(one, other);
  const shared: Places[] = [];
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
function toPieces(words: readonly string[], kept: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  for (const [at, text] of words.entries()) {
    const isChanged = !kept.has(at);
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged) pieces[pieces.length - 1] = { text: last.text + text, isChanged };
    else pieces.push({ text, isChanged });
  }
  return pieces;
}
