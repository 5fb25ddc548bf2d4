// Finds the word that a person probably meant, for "Did you mean …?".

/** Undefined unless a candidate is so close that it is hardly anything else. */
export function findClosest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length < 3 || word.length > longestWord) return undefined;
  const allowed = Math.max(1, Math.floor(word.length / lettersPerSlip));
  const rated = candidates
    .map((candidate) => ({ candidate, distance: countEdits(word, candidate) }))
    .filter(({ distance }) => distance <= allowed);
  return rated.toSorted((one, other) => one.distance - other.distance)[0]?.candidate;
}

const longestWord = 100;
const lettersPerSlip = 5;

/** Letters that were added, left out or replaced, and neighbors that changed places. */
function countEdits(from: string, to: string): number {
  let older: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (older[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
